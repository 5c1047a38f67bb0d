"""Runs a command on a terminal of our own, and keeps what stands on its screen.

usage: terminal.py ROWS COLUMNS SECONDS COMMAND...

A terminal as small as what is used of one: printing, line feed, carriage return, and the sequences K, J and A; colours
are dropped, everything else is an error. After SECONDS the command is interrupted. Writes to standard output, as JSON:
`status`, `final` (what has been on the screen or has scrolled away, at the end) and `screens` (each that was seen when
output paused).
"""
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

rows, columns, seconds = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])


class Terminal:
    def __init__(self):
        self.lines, self.row, self.column = [''], 0, 0
        self.top = 0  # first line on the screen: what is above can no longer be reached

    def line_feed(self):
        self.row += 1
        if self.row == len(self.lines):
            self.lines.append('')
        self.top = max(self.top, self.row - rows + 1)

    def put(self, character):
        if self.column >= columns:
            self.line_feed()
            self.column = 0
        line = self.lines[self.row].ljust(self.column)
        self.lines[self.row] = line[:self.column] + character + line[self.column + 1:]
        self.column += 1

    def feed(self, text):
        for part in re.finditer(r'\033\[([0-9;]*)([A-Za-z])|(.)', text, re.S):
            count, letter, character = part.groups()
            if character == '\n':
                self.line_feed()
            elif character == '\r':
                self.column = 0
            elif character:
                assert ord(character) >= 32, f'control character {character!r}'
                self.put(character)
            elif letter == 'K':
                self.lines[self.row] = self.lines[self.row][:self.column]
            elif letter == 'J':
                self.lines[self.row] = self.lines[self.row][:self.column]
                del self.lines[self.row + 1:]
            elif letter == 'A':
                self.row -= int(count or 1)
                assert self.row >= self.top, 'above the screen'
            else:
                assert letter == 'm', f'sequence {part.group(0)!r}'


pid, master = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))
    os.environ['TERM'] = 'xterm'
    os.execvp(sys.argv[4], sys.argv[4:])
terminal, screens, pending, end = Terminal(), [], b'', time.monotonic() + seconds
interrupted = False
while True:
    if not interrupted and time.monotonic() > end:
        os.kill(pid, signal.SIGINT)
        interrupted = True
    if not select.select([master], [], [], 0.05)[0]:
        screens.append(terminal.lines[terminal.top:])
        continue
    try:
        pending += os.read(master, 65536)
    except OSError:  # the other end is closed
        break
    # A sequence or a character may have come in part; wait for its rest.
    whole = re.match(rb'(?s)(.*?)(\033(\[[0-9;]*)?|[\xc0-\xff][\x80-\xbf]{0,2})?\Z', pending)
    try:
        text = whole[1].decode()
        pending = whole[2] or b''
    except UnicodeDecodeError:
        text, pending = pending.decode(), b''
    terminal.feed(text)
status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
json.dump({'status': status, 'final': terminal.lines, 'screens': screens[-200:]}, sys.stdout)
