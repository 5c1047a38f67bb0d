"""The clients of tests/integration/serve.sh: well-behaved, slow and malformed ones. usage: serve_client.py WHAT PORT ..."""
import json
import os
import random
import re
import selectors
import socket
import sys
import time


def connect(port):
    return socket.create_connection(("127.0.0.1", port), timeout=90)


def ask(port, head, path, method="GET"):
    """One request; its status, headers and body."""
    with connect(port) as client:
        if not any(line.startswith("Host:") for line in head):
            head = [f"Host: 127.0.0.1:{port}", *head]
        lines = [f"{method} {path} HTTP/1.1", "Connection: close", *head]
        client.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        answer = b""
        while part := client.recv(65536):
            answer += part
    top, _, body = answer.partition(b"\r\n\r\n")
    return int(top.split()[1]), top.decode().lower(), body


def resident(pid):
    """KiB."""
    with open(f"/proc/{pid}/status") as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1])


def events(raw):
    """The events in the body of an answer, chunked or not."""
    return [json.loads(line) for line in re.findall(rb"^data: (\{.*\})$", raw, re.M)]


def watch(port, path, watchers, starter):
    """So many watchers of one log, all of which must see its end. `starter` is called when they are there."""
    chosen = selectors.DefaultSelector()
    seen = {}
    for _ in range(watchers):
        client = connect(port)
        client.sendall(f"GET /api/follow?path={path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        client.setblocking(False)
        chosen.register(client, selectors.EVENT_READ)
        seen[client] = b""
    starter()
    ended = 0
    until = time.monotonic() + 60
    while ended < watchers and time.monotonic() < until:
        for key, _ in chosen.select(1):
            client = key.fileobj
            part = client.recv(65536)
            seen[client] += part
            if b'{"event":"done"' in seen[client]:
                ended += 1
                chosen.unregister(client)
            elif not part:
                chosen.unregister(client)
    bodies = list(seen.values())
    for client in seen:
        client.close()
    return ended, bodies


def what_watchers(port, folder, pid):
    """200 watchers of a run that another writes, with 100 more that read nothing; and again. That those of the last time are
    gone may be noticed late, so the second time there may be more of them than the first."""
    path = os.path.join(folder, "watched.eolive")
    peak = []

    def run():
        with open(path, "a") as log:
            for second in range(40):
                log.write('{"event":"progress","elapsed_s":%d,"executions":%d}\n' % (second, second * 10))
                log.flush()
                time.sleep(0.02)
            log.write('{"event":"finding","kind":"assertion","message":"x"}\n{"event":"done"}\n')
        peak.append(resident(pid))

    slow = []
    for _ in range(100):
        client = connect(port)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        client.sendall(f"GET /files/huge.json HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        slow.append(client)
    for _ in range(6):
        with open(path, "w") as log:
            log.write('{"event":"run","everyorder_live":1}\n')
        ended, bodies = watch(port, "watched.eolive", 200, run)
        lists = [[event["event"] for event in events(body)] for body in bodies]
        assert ended == 200, f"only {ended} watchers saw the end"
        assert all(names == ["run"] + ["progress"] * 40 + ["finding", "done"] for names in lists), lists[0]
        status, _, _ = ask(port, [], "/api/runs")
        assert status == 200
        time.sleep(0.5)
    for client in slow:
        client.close()
    print(f"resident with 200 watchers and 100 slow readers: {peak} KiB")
    assert max(peak[3:]) < max(peak[:3]) + 8192, "memory grows"
    assert max(peak) < 120 * 1024, "too much memory"


def malformed(chance):
    kinds = [
        lambda: b"\r\n\r\n",
        lambda: b"GET\r\n\r\n",
        lambda: b"GET /%zz%00%2e%2e/ HTTP/1.1\r\n\r\n",
        lambda: b"GET / HTTP/9.9\r\nHost: x\r\n\r\n",
        lambda: b"GET /files/../../../etc/passwd HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        lambda: b"POST /api/replay?path=%00 HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -5\r\n\r\n",
        lambda: b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzzzz\r\n",
        lambda: b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"A: b\r\n" * 400 + b"\r\n",
        lambda: b"GET /" + b"a" * 40000 + b" HTTP/1.1\r\n\r\n",
        lambda: b"GET / HTTP/1.1\r\nCookie: " + bytes(chance.randrange(1, 256) for _ in range(60)) + b"\r\n\r\n",
        lambda: b"\x16\x03\x01\x02\x00\x01\x00" + chance.randbytes(40),
        lambda: chance.randbytes(chance.randrange(1, 200)) + b"\r\n\r\n",
    ]
    return kinds[chance.randrange(len(kinds))]()


def what_malformed(port, total, pid):
    """So many requests that are wrong in some way, in batches, many on one connection; memory stays where it was."""
    chance = random.Random(7)
    sizes = []
    sent = 0
    while sent < total:
        batch = []
        for _ in range(50):
            client = connect(port)
            # Several at once: all but the first are what is left on a connection that is closed after an error, or the
            # next request of one that is kept.
            many = chance.choice([1, 1, 20, 100])
            sent += many
            try:
                client.sendall(b"".join(malformed(chance) for _ in range(many)))
            except OSError:
                pass  # refused already
            batch.append(client)
        for index, client in enumerate(batch):
            if index % 5:  # others go without a look at the answer
                client.settimeout(0.02)
                try:
                    if index % 2:
                        client.shutdown(socket.SHUT_WR)
                    client.recv(65536)
                except OSError:
                    pass
            client.close()
        if sent > len(sizes) * total / 10:
            sizes.append(resident(pid))
    status, _, _ = ask(port, [], "/api/runs")
    assert status == 200, status
    print(f"{sent} malformed requests; resident: {sizes}")
    assert sizes[-1] < sizes[1] + 4096, "memory grows"


def what_kept(port):
    """Many requests on one connection, good and refused ones."""
    with connect(port) as client:
        reader = client.makefile("rb")
        for index in range(2000):
            path = ["/nothing", "/files/..%2f..%2fetc%2fpasswd.json", "/", "/api/follow?path=nothing.eolive"][index % 4]
            client.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n".encode())
            status = int(reader.readline().split()[1])
            assert status == (200 if path == "/" else 404), (path, status)
            length = 0
            while (line := reader.readline()) != b"\r\n":
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            reader.read(length)
    print("2000 requests on one connection")


def what_hold(port, count, seconds):
    """Connections that send half a request and then nothing."""
    held = []
    for _ in range(count):
        client = connect(port)
        client.sendall(b"GET / HTTP/1.1\r\nHost: 127")
        held.append(client)
    status, _, _ = ask(port, [], "/api/runs")
    assert status == 200
    time.sleep(seconds)
    print(f"{count} connections held open")


def what_leave(port, path, seconds):
    """Starts a replay, and goes away without waiting for its end."""
    with connect(port) as client:
        lines = [f"POST /api/replay?path={path} HTTP/1.1", f"Host: localhost:{port}", "X-Everyorder: 1", "Content-Length: 0"]
        client.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        time.sleep(seconds)


def what_get(port, path, *head):
    status, top, body = ask(port, list(head), path)
    sys.stdout.write(f"{status}\n{top}\n\n")
    sys.stdout.flush()
    sys.stdout.buffer.write(body)


def what_post(port, path, *head):
    status, top, body = ask(port, list(head) + ["Content-Length: 0"], path, "POST")
    sys.stdout.write(f"{status}\n{top}\n\n")
    sys.stdout.flush()
    sys.stdout.buffer.write(body)


def main():
    name, port, *rest = sys.argv[1:]
    rest = [int(word) if word.isdigit() else word for word in rest]
    globals()["what_" + name](int(port), *rest)


main()
