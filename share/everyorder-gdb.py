"""Everyorder's commands for gdb: `info everyorder`, `everyorder process`, `everyorder program`. Pids are printed by name.

`everyorder replay --gdb TICKET` loads this file by itself. It looks at the library's own structs (src/subjects/actor/inside.h)
and needs their debug information, which is there unless the program was stripped.

A process that does not run is its stack pointer; what it needs to go on lies there (src/fiber/fiber.h). To show its stack,
the registers are set to what they will be when it goes on, and set back before anything runs.
"""
import gdb


class Unknown(gdb.GdbError):
    """Said without a Python traceback."""


def actor():
    """The subject under test, as a gdb.Value."""
    try:
        pointer = gdb.parse_and_eval("eo__actor")
        known = int(pointer) != 0
    except gdb.error as error:
        raise Unknown("Everyorder's own variables cannot be read: is the program running, and was it not stripped? (%s)"
                      % error)
    if not known:
        raise Unknown("no program is being explored or replayed here")
    return pointer.dereference()


def items(vector):
    return [vector["items"][i] for i in range(int(vector["count"]))]


def text(pointer):
    """A C string; what is no UTF-8 is escaped."""
    if int(pointer) == 0:
        return ""
    try:
        return pointer.string("utf-8", errors="backslashreplace", length=-1)
    except gdb.MemoryError:
        return "?"


def name_of(world, number):
    return text(world["known"]["items"][number]["name"]) if number < int(world["known"]["count"]) else "?"


def name_of_pid(world, pid):
    number = int(world["number_of_slot"][pid]) if 0 < pid < (1 << 21) else 0
    return name_of(world, number - 1) if number else "a process that never was"


# ---- What a process is about to do ------------------------------------------------------------------------------


def tag_of(operation, number):
    """The tag as the call has it, if that is a name; else its number."""
    place = operation["place"]
    call = text(place["call"]) if int(place) else ""
    depth, arguments = 0, [""]
    for character in call:
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            arguments.append("")
        else:
            arguments[-1] += character
    name = arguments[1].strip() if len(arguments) > 1 else ""
    return name if name.isidentifier() and name.upper() == name else "tag %d" % number


def told(world, mail):
    """The message in words, as reports have them; "": not known."""
    number = int(mail["number"])
    tellings = world["tellings"]
    if not number or not int(tellings) or number > int(tellings["sent"]["count"]):
        return ""
    return text(tellings["sent"]["items"][number - 1]["words"])


def pending(world, process):
    """Its operation in words, and its place."""
    operation = process["pending"].dereference()
    kind = str(operation["kind"]).replace("EO_OP_", "").lower()
    words = kind
    if kind == "send":
        by_name = int(operation["flags"]) & 8
        to = text(operation["name"]) if by_name else name_of_pid(world, int(operation["pid"]))
        words = "send %s (%d bytes) to %s" % (tag_of(operation, int(operation["tag"])), int(operation["size"]), to)
    elif kind == "receive" and int(operation["flags"]) & 16:
        words = "dequeue in state %s" % machine_state(process)
    elif kind == "receive":
        tags = [int(operation["tags"][i]) for i in range(int(operation["tag_count"]))]
        named = [tag_of(operation, tags[0])] if len(tags) == 1 else ["tag %d" % tag for tag in tags]
        words = "receive " + (" or ".join(named) if tags else "anything")
        if int(operation["accept"]) != 0:
            words += " that a predicate accepts"
        if int(operation["timeout"]) >= 0:
            words += ", with a timeout"
    elif kind == "spawn":
        function = gdb.block_for_pc(int(operation["function"]))
        words = "spawn %s" % (function.function if function and function.function else operation["function"])
    elif kind == "monitor" and int(operation["flags"]) & 8:
        words = "monitor %s" % text(operation["name"])
    elif kind in ("link", "unlink", "monitor", "is_alive"):
        words = "%s %s" % (kind, name_of_pid(world, int(operation["pid"])))
    elif kind in ("register", "unregister", "whereis"):
        words = "%s %s" % (kind, text(operation["name"]))
    elif kind == "choose":
        words = "choose one of %d" % int(operation["n"])
    elif kind == "kill":
        words = "kill %s, reason %d" % (name_of_pid(world, int(operation["pid"])), int(operation["reason"]))
    elif kind == "exit":
        words = "exit, reason %d" % int(operation["reason"])
    place = operation["place"]
    where = "%s:%d" % (text(place["file"]), int(place["line"])) if int(place) else ""
    return words, where


def machine_state(process):
    """Of a machine: the name of the state it is in."""
    now = process["machine"].dereference()
    return text(now["machine"]["states"][int(now["state"])]["name"]) or str(int(now["state"]))


def registered_name(process):
    """The name it is registered under; "": none."""
    name = process["citizen"]["name"]
    return text(name["text"][0].address) if int(name) else ""


def title_of(world, process):
    """"P1.2 (server)": its registered name, or its machine's."""
    name = registered_name(process)
    if not name and int(process["machine"]) and str(process["state"]) == "EO_ALIVE":
        name = text(process["machine"]["machine"]["name"])
    return name_of(world, int(process["number"])) + (" (%s)" % name if name else "")


def letters(world, process):
    """The lines of its mailbox, oldest first."""
    mail = process["mailbox"]
    lines = []
    while int(mail) and len(lines) < 1000:
        size = int(mail["size"])
        shown = " ".join("%02x" % (int(mail["bytes"][i]) & 255) for i in range(min(size, 16)))
        content = " [%s%s]" % (shown, " ..." if size > 16 else "") if size else ""
        sender = name_of(world, int(mail["from"]))
        words = told(world, mail)
        if words:
            lines.append("%s from %s, %d bytes" % (words, sender, size))
        else:
            lines.append("tag %d from %s, %d bytes%s" % (int(mail["tag"]), sender, size, content))
        mail = mail["next"]
    return lines


def state_of(process):
    if str(process["state"]) == "EO_ENDED":
        return "ended"
    if int(process["observes"]):
        return "observes"
    return "can go on" if int(process["choices"]) else "waits"


class Info(gdb.Command):
    """List the processes of the program that is replayed: logical id, name, state, what each is about to do and where, and
the messages in its mailbox. The one whose stack is shown has a star."""

    def __init__(self):
        super().__init__("info everyorder", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        world = actor()
        running = int(world["running"])
        print("%d steps were taken" % int(world["world"]["steps"]))
        for pointer in items(world["live"]):
            process = pointer.dereference()
            shown = selection.process == int(pointer) if selection.process else running == int(pointer)
            title = title_of(world, process)
            words, where = ("", "")
            if str(process["state"]) == "EO_ALIVE" and int(process["pending"]):
                words, where = pending(world, process)
            line = "%s %-12s %-9s %s%s" % ("*" if shown else " ", title, state_of(process), words,
                                          ", at " + where if where else "")
            print(line.rstrip())
            for letter in letters(world, process):
                print("      mail: " + letter)


# ---- The stack of another process -------------------------------------------------------------------------------


def registers_of(process):
    """What the registers will be when this process goes on."""
    word = gdb.lookup_type("unsigned long")
    sp = int(process["fiber"]["sp"])
    saved = gdb.Value(sp).cast(word.pointer())
    architecture = gdb.selected_inferior().architecture().name()
    if architecture.startswith("aarch64"):
        found = {"x%d" % (19 + i): int(saved[i]) for i in range(12)}
        found.update(pc=int(saved[11]), sp=sp + 160)
        return found
    # eo_fiber_switch pushes rbp, rbx and where to go on below the 128 bytes of the red zone; the unwinder knows of none of
    # that, so the stack pointer is the one from before.
    return {"rip": int(saved[0]), "rbx": int(saved[1]), "rbp": int(saved[2]), "rsp": sp + 3 * 8 + 128}


def set_registers(values):
    gdb.execute("select-frame level 0", to_string=True)
    for name, value in values.items():
        gdb.execute("set $%s = %#x" % (name, value & (2**64 - 1)), to_string=True)
    gdb.invalidate_cached_frames()


class Selection:
    """The process that is looked at in place of the one that is stopped; the registers that this one had."""

    def __init__(self):
        self.process = 0
        self.before = {}

    def choose(self, pointer, process):
        self.leave()
        if str(process["state"]) != "EO_ALIVE":
            raise Unknown("that process has ended")
        wanted = registers_of(process)
        gdb.execute("select-frame level 0", to_string=True)
        self.before = {name: int(gdb.parse_and_eval("(unsigned long)$" + name)) for name in wanted}
        self.process = pointer
        set_registers(wanted)

    def leave(self):
        if self.process:
            before, self.before, self.process = self.before, {}, 0
            set_registers(before)


selection = Selection()


def in_program():
    """The innermost frame that is the program's own: where it called a function of everyorder.h. Else the innermost."""
    newest = gdb.newest_frame()
    name = newest.name() or ""
    if not name.startswith("eo_") and name != "perform":
        return newest
    frame = newest
    while frame is not None:
        name, frame = frame.name() or "", frame.older()
        called = name.startswith("eo_") and not name.startswith("eo__") and name.endswith("_")
        if called and frame is not None and frame.name() != "first_function":
            return frame
    return newest


class Everyorder(gdb.Command):
    """Look at the processes of a program that Everyorder replays."""

    def __init__(self):
        super().__init__("everyorder", gdb.COMMAND_STACK, gdb.COMPLETE_NONE, True)


class Process(gdb.Command):
    """Look at the stack of another process: everyorder process P1.2
`backtrace`, `up`, `info locals` then show that one, until the program goes on. Without an id: back to the one that is
stopped. everyorder process P1.2 COMMAND runs one command there and comes back."""

    def __init__(self):
        super().__init__("everyorder process", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        wanted, _, command = argument.strip().partition(" ")
        selection.leave()
        if not wanted:
            in_program().select()
            gdb.execute("frame")
            return
        world = actor()
        for pointer in items(world["live"]):
            process = pointer.dereference()
            if wanted in (name_of(world, int(process["number"])), registered_name(process)):
                break
        else:
            raise Unknown("there is no process %s: see `info everyorder`" % wanted)
        if int(world["running"]) != int(pointer):
            selection.choose(int(pointer), process)
        in_program().select()
        if not command:
            gdb.execute("frame")
            return
        try:
            gdb.execute(command)
        finally:
            selection.leave()
            in_program().select()


class Program(gdb.Command):
    """Select the innermost frame that is the program's own."""

    def __init__(self):
        super().__init__("everyorder program", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        in_program().select()
        gdb.execute("frame")


class Leave(gdb.Command):
    """Go back to the process that is stopped, quietly; runs before the program goes on."""

    def __init__(self):
        super().__init__("everyorder leave", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        selection.leave()


class Pid:
    """An eo_pid as reports have it: P1.2 (server)."""

    def __init__(self, words):
        self.words = words

    def to_string(self):
        return self.words


def printer_of(value):
    if value.type.unqualified().name != "eo_pid":
        return None
    try:
        world, pid = actor(), int(value)
        number = int(world["number_of_slot"][pid]) if 0 < pid < (1 << 21) else 0
        if pid == 0:
            return Pid("nobody")
        if number == 0:
            return None
        process = world["by_number"]["items"][number - 1]
        return Pid(title_of(world, process.dereference()) if int(process) else name_of(world, number - 1))
    except (gdb.error, gdb.GdbError):
        return None


def forget(_event):
    """The program has ended: there are no registers to set back."""
    selection.process = 0


Info()
Everyorder()
Process()
Program()
Leave()
gdb.pretty_printers.append(printer_of)
gdb.events.exited.connect(forget)
for resuming in ("continue", "step", "next", "stepi", "nexti", "finish", "until", "advance", "jump", "signal", "call",
                 "return", "detach", "generate-core-file", "run", "start", "kill"):
    gdb.execute("define hook-%s\neveryorder leave\nend" % resuming)
