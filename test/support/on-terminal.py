"""Runs a program on a pseudo-terminal of a given width and copies its output to standard output.

Usage: python3 on-terminal.py COLUMNS STREAMS INTERRUPT_AFTER PROGRAM [ARGUMENT...]
STREAMS is "both" or "stderr": the streams that are the terminal; otherwise standard output is that of
this script. When the output contains the text INTERRUPT_AFTER, Ctrl-C is typed. It is "" for never.
Exits with the program's exit code, or 128 plus the signal that ended it.
"""
import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios

columns, streams, interrupt_after, *command = sys.argv[1:]
terminal, program_side = pty.openpty()
fcntl.ioctl(program_side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(columns), 0, 0))


def become_foreground():
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


program = subprocess.Popen(
    command,
    stdin=program_side,
    stdout=program_side if streams == "both" else None,
    stderr=program_side,
    preexec_fn=become_foreground,
)
os.close(program_side)
screen = sys.stdout.buffer if streams == "both" else sys.stderr.buffer
seen = b""
while True:
    try:
        received = os.read(terminal, 65536)
    except OSError:  # the program has closed the terminal
        break
    if not received:
        break
    screen.write(received)
    screen.flush()
    seen += received
    if interrupt_after and interrupt_after.encode() in seen:
        interrupt_after = ""
        os.write(terminal, b"\x03")
code = program.wait()
sys.exit(code if code >= 0 else 128 - code)
