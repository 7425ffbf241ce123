import logging
import threading

import pytest

from model_serving.utils.log_lines import LineHandler


@pytest.fixture
def log(tmp_path):
    """A logger, and what it has written."""
    logger = logging.Logger("lines")
    with (tmp_path / "log").open("w") as stream:
        logger.addHandler(LineHandler(stream))
        yield logger, lambda: (tmp_path / "log").read_text(encoding="utf-8").splitlines()


def test_lines_are_there_at_once_in_utf_8(log):
    logger, lines = log
    logger.info("%s", "北京")
    logger.info("\ud800")
    assert lines() == ["北京", "\\ud800"]


def test_lines_of_many_threads_stay_whole(log):
    logger, lines = log
    texts = [letter * 500 for letter in "abcdefgh"]
    threads = [threading.Thread(target=lambda text=text: [logger.info(text) for _ in range(50)]) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(lines()) == sorted(texts * 50)


def test_what_can_not_be_written_harms_nobody(tmp_path, capsys):
    with (tmp_path / "log").open("w") as stream:
        handler = LineHandler(stream)
    handler.emit(logging.makeLogRecord({"msg": "lost"}))
    assert "Bad file descriptor" in capsys.readouterr().err
