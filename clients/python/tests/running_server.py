"""A real server in a process of its own, with a line to it that a test can cut."""

import os
import socket
import subprocess
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

_PROGRAM = Path(__file__).parents[1] / "test" / "support" / "server.ts"


class RunningServer:
    """A server on a SQLite file. `url` is that of the line."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="opstate-python-")
        self._process: subprocess.Popen[str] | None = None
        self._port = 0
        self.start()
        self._line = _Line(lambda: self._port)
        self.url = f"http://127.0.0.1:{self._line.port}"

    def start(self) -> None:
        """Starts a process on the file. It listens when this returns."""
        node = os.environ.get("NODE", "node")
        file = str(Path(self._folder.name) / "log.sqlite")
        self._process = subprocess.Popen(
            [node, "--conditions=@opstate/source", str(_PROGRAM), file],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        said = self._process.stdout.readline()
        if not said.startswith("port "):
            raise RuntimeError(f"The server did not start: {said!r}")
        self._port = int(said.removeprefix("port "))

    def kill(self) -> None:
        """Ends the process at once."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            if self._process.stdout is not None:
                self._process.stdout.close()
            self._process = None

    def cut(self) -> None:
        """Cuts every open connection."""
        self._line.cut()

    def lose_next_answer(self) -> None:
        """The next request arrives, and its answer is lost."""
        self._line.lose_next_answer = True

    def close(self) -> None:
        """Ends all."""
        self._line.close()
        self.kill()
        self._folder.cleanup()


class _Line:
    """Passes bytes on, as long as it is not cut."""

    def __init__(self, target: Callable[[], int]) -> None:
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self.lose_next_answer = False
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        with self._lock:
            for one in self._open:
                _shut(one)

    def close(self) -> None:
        _shut(self._listener)
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._join, args=(near,), daemon=True).start()

    def _join(self, near: socket.socket) -> None:
        """Passes bytes both ways until one side ends."""
        with near:
            try:
                far = socket.create_connection(("127.0.0.1", self._target()))
            except OSError:
                return
            with far:
                with self._lock:
                    self._open |= {near, far}
                back = threading.Thread(target=self._pass, args=(far, near, True), daemon=True)
                back.start()
                self._pass(near, far, False)
                back.join()
                with self._lock:
                    self._open -= {near, far}

    def _pass(self, source: socket.socket, sink: socket.socket, is_answer: bool) -> None:
        try:
            while chunk := source.recv(65_536):
                if is_answer and self.lose_next_answer:
                    self.lose_next_answer = False
                    break
                sink.sendall(chunk)
        except OSError:
            pass
        _shut(source)
        _shut(sink)


def _shut(one: socket.socket) -> None:
    try:
        one.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
