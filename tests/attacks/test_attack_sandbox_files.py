"""Ways around a read-only view: another name for a file, another descriptor, a program with more rights.

All of them were refused before, by the mounts. Here they stay refused.
"""

from pathlib import Path

from tests.sandboxed import every_user, needs_sandbox, successes

pytestmark = needs_sandbox

WAYS = {
    "hard link into its folder": 'os.link(target, "mine")\nwrite("mine")',
    "hard link by descriptor": """
os.link(f"/proc/self/fd/{os.open(target, os.O_RDONLY)}", "mine", follow_symlinks=True)
""",
    "move into its folder": 'os.rename(target, "mine")',
    "exchange with a file of its own": """
write("own", flags=os.O_WRONLY | os.O_CREAT)
call((316, 276), -100, b"own", -100, target.encode(), 2)
""",
    "link followed in writing": 'os.symlink(target, "link")\nwrite("link")',
    "up from its folder": 'write("../" + os.path.basename(target))',
    "descriptor opened again": 'write(f"/proc/self/fd/{os.open(target, os.O_RDONLY)}")',
    "the root of another process": 'write("/proc/1/root" + target)',
    "shared mapping": """
mmap.mmap(os.open(target, os.O_RDONLY), 4, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE)
""",
    "truncate": "os.truncate(target, 0)",
    "times": "os.utime(target)",
    "mode": "os.chmod(target, 0o777)",
    "attribute": 'os.setxattr(target, "user.x", b"x")',
    "remove": "os.unlink(target)",
    "its own program": 'write("/proc/self/exe")',
    "copy_file_range": "os.copy_file_range(os.open('/etc/passwd', 0), os.open(target, 0), 4)",
    "flags of the file system": 'fcntl.ioctl(os.open(target, 0), 0x40086602, struct.pack("l", 0x10))',
    "clone into it": "fcntl.ioctl(os.open(target, 0), 0x40049409, os.open('/etc/passwd', 0))",
    "namespace by clone3": """
call(435, struct.pack("8Q", 0x10000000, 0, 0, 0, 17, 0, 0, 0), 64) or os._exit(0)
""",
    "namespace by clone": "call((56, 220), 0x10000000 | 17, 0, 0, 0, 0) or os._exit(0)",
    "mount namespace by clone": "call((56, 220), 0x00020000 | 17, 0, 0, 0, 0) or os._exit(0)",
    "program with more rights": """
if "NoNewPrivs:\\t1" in open("/proc/self/status").read(): raise OSError()
""",
    "capabilities": """
lines = [line for line in open("/proc/self/status") if line.startswith("Cap")]
if all(int(line.split()[1], 16) == 0 for line in lines): raise OSError()
""",
}  # fmt: skip


@every_user
def test_no_way_leads_around_the_read_only_view(shown: Path, user: str) -> None:
    file, own = shown / "file", shown / "own"
    own.mkdir()
    own.chmod(0o777)
    file.write_text("mine")
    file.chmod(0o666)
    assert successes(WAYS, str(file), user=user, folder=own) == set()
    assert file.read_text() == "mine"
    assert file.stat().st_mode & 0o7777 == 0o666
