"""The runtimes in which engines are written work in the sandbox: threads, processes, temporary files."""

import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from harness.gtp.sandbox import sandbox_command
from tests.sandboxed import needs_sandbox

pytestmark = needs_sandbox

JAVA = """
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;

class Bot {
    public static void main(String[] words) throws Exception {
        Path file = Files.createTempFile("bot", "");
        Files.writeString(file, "7");
        new ProcessBuilder("/bin/true").start().waitFor();
        long count = IntStream.range(0, 1000).parallel().filter(n -> n % 2 == 0).count();
        System.out.println(Files.readString(file) + " " + count);
    }
}
"""
NODE = """
const {Worker, isMainThread, parentPort} = require("worker_threads");
const {execSync, fork} = require("child_process");
const fs = require("fs");
if (process.send) process.send("7");
else if (isMainThread) {
    new Worker(__filename).on("message", (count) => {
        fs.writeFileSync("/tmp/a", execSync("echo 7"));
        fs.copyFileSync("/tmp/a", "/tmp/b");
        const child = fork(__filename);
        child.on("message", (text) => { console.log(text, count); process.exit(); });
    });
} else parentPort.postMessage(500);
"""
GO = """
package main

import ("fmt"; "io"; "os"; "os/exec"; "sync")

func main() {
    var group sync.WaitGroup
    counts := make(chan int, 500)
    for n := 0; n < 500; n++ {
        group.Add(1)
        go func() { defer group.Done(); counts <- 1 }()
    }
    group.Wait()
    os.WriteFile("/tmp/a", []byte("7"), 0644)
    from, _ := os.Open("/tmp/a")
    to, _ := os.Create("/tmp/b")
    io.Copy(to, from)
    text, _ := exec.Command("/bin/cat", "/tmp/b").Output()
    fmt.Println(string(text), len(counts))
}
"""
OPENMP = """
#include <stdio.h>
#include <stdlib.h>
int main() {
    int count = 0, seven = 0;
    FILE *file = tmpfile();
    #pragma omp parallel for reduction(+:count)
    for (int n = 0; n < 500; n++) count++;
    fputs("7", file); rewind(file); fscanf(file, "%d", &seven);
    if (system("exit 0") == 0) printf("%d %d\\n", seven, count);
}
"""
PYTHON = """
import concurrent.futures as futures, multiprocessing, sqlite3, subprocess, tempfile

def count(numbers):
    return len(numbers)

if __name__ == "__main__":
    total = 0
    for kind in ("fork", "spawn"):
        with futures.ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(kind)) as pool:
            total += sum(pool.map(count, [range(50), range(100)]))
    with futures.ThreadPoolExecutor(4) as pool:
        total += sum(pool.map(count, [range(200)]))
    with tempfile.NamedTemporaryFile() as file, sqlite3.connect(file.name) as book:
        book.execute("CREATE TABLE t (n)")
    print(subprocess.run(["echo", "-n", "7"], capture_output=True, text=True).stdout, total)
"""
RUNTIMES = {
    "java": (JAVA, "Bot.java", "javac -d {folder} {source}", "java -cp {folder} Bot"),
    "node": (NODE, "bot.js", None, "node {source}"),
    "go": (GO, "bot.go", "go build -o {folder}/bot {source}", "{folder}/bot"),
    "gcc": (OPENMP, "bot.c", "gcc -fopenmp -o {folder}/bot {source}", "{folder}/bot"),
    "python": (PYTHON, "bot.py", None, f"{shlex.quote(sys.executable)} {{source}}"),
}


@pytest.mark.parametrize(
    "runtime", [pytest.param(name, marks=[] if name == "python" else pytest.mark.slow) for name in RUNTIMES]
)
def test_a_runtime_works_in_the_sandbox(tmp_path: Path, runtime: str) -> None:
    code, name, build, run = RUNTIMES[runtime]
    if runtime != "python" and shutil.which(runtime) is None:
        pytest.skip(f"{runtime} is not installed")
    source = tmp_path / name
    source.write_text(code)
    if build is not None:
        subprocess.run(build.format(folder=tmp_path, source=source).split(), check=True)
    words = shlex.split(run.format(folder=tmp_path, source=source))
    command, program = sandbox_command(words, shutil.which(words[0]) or words[0])
    done = subprocess.run(command, executable=program, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "7 500\n", "")
