from harness.gtp.limits import Limits
from harness.gtp.transcript import Event, Recorder, render_transcript


def test_a_rendered_conversation() -> None:
    events = [
        Event(0.0, "sent", b"1 name\n"),
        Event(0.5, "stderr", b"log\x1b[0m\n"),
        Event(1.0, "received", b"=1 a\n\n"),
        Event(2.0, "exit", b"ended with exit code 0"),
    ]
    assert render_transcript(events).splitlines() == [
        "    0.0000 > 1 name",
        "    0.5000 ! log\\x1b[0m",
        "    1.0000 < =1 a",
        "    1.0000 <",
        "    2.0000 # ended with exit code 0",
    ]


def test_a_line_in_pieces_is_shown_as_one_line_and_an_unended_one_is_marked() -> None:
    events = [Event(1.0, "received", b"= a"), Event(2.0, "received", b"b\n"), Event(3.0, "received", b"half")]
    assert render_transcript(events).splitlines() == ["    1.0000 < = ab", "    3.0000 < half \\"]


def test_memory_is_bounded_also_by_the_number_of_events() -> None:
    recorder = Recorder(Limits(transcript_kept=10_000, stderr_kept=100))
    for number in range(10_000):
        recorder.conversation.note("received", b"x")
        recorder.note_stderr(b"%05d\n" % number)
    assert 0 < len(recorder.events) < 200
    assert recorder.events[-1].data == b"09999\n"
    assert len(recorder.stderr_tail) == 100
    assert recorder.stderr_tail.endswith(b"09998\n09999\n")


def test_one_event_larger_than_the_bound_is_kept() -> None:
    recorder = Recorder(Limits(transcript_kept=1000))
    recorder.conversation.note("sent", b"a")
    recorder.conversation.note("received", b"x" * 5000)
    assert [event.kind for event in recorder.events] == ["received"]


def test_a_flood_on_stderr_does_not_push_out_the_conversation() -> None:
    recorder = Recorder(Limits(transcript_kept=10_000))
    recorder.conversation.note("sent", b"name\n")
    for _ in range(1000):
        recorder.note_stderr(b"x" * 100)
    assert recorder.events[0].data == b"name\n"


def test_forgetting_keeps_the_tail_of_stderr() -> None:
    recorder = Recorder(Limits())
    recorder.conversation.note("sent", b"name\n")
    recorder.note_stderr(b"log\n")
    recorder.forget()
    assert recorder.events == ()
    assert recorder.stderr_tail == b"log\n"
