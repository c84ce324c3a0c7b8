"""Where a store is, how it is opened, and what is told when that fails."""

import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import event

import summon.store
from summon.profile import ProfileState, Refused, Why
from summon.store import Store, StoreError, Trouble, errors, migrate, place, tables
from tests.store.playing import rich, win
from tests.store.postgres import WINDOWS

MIGRATIONS = Path(summon.store.__file__).parent / "migrations"
ROOT = Path(__file__).resolve().parents[2]


def trouble(call, *arguments) -> StoreError:
    with pytest.raises(StoreError) as error:
        call(*arguments)
    return error.value


def test_what_looks_after_a_store_makes_none(tmp_path):
    place, copy = tmp_path / "folder" / "none.db", tmp_path / "copy.db"
    for call in (lambda: summon.store.check(place), lambda: summon.store.backup(copy, place)):
        assert trouble(call).kind is Trouble.MISSING
    assert list(tmp_path.iterdir()) == []


def read_all(store: Store, ids: list[str]) -> None:
    for profile_id in ids:
        store.get(profile_id)


def create_all(store: Store, confirmed: list[ProfileState]) -> None:
    for number in range(1, 100_000):
        confirmed.append(store.create(f"browser {number}", "moss"))


def write_twice(store: Store, row: dict[str, object]) -> None:
    with store._writing(Refused(Why.HAS_PROFILE, "1.1", "moss")) as connection:
        connection.execute(tables.tokens.insert(), row)
        connection.execute(tables.tokens.insert(), row)


def engine_of(where: str):
    return place.engine_for(place.url_of(where))


# Places


def test_the_variable_names_the_place(monkeypatch, tmp_path):
    monkeypatch.setenv("SUMMON_STORE", str(tmp_path / "mine.db"))
    assert place.shown(place.url_of()) == str(tmp_path / "mine.db")
    assert place.shown(place.url_of(tmp_path / "other.db")) == str(tmp_path / "other.db")


def test_without_one_it_is_the_users_data_folder(monkeypatch, tmp_path):
    monkeypatch.delenv("SUMMON_STORE", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    path = Path(place.shown(place.url_of()))
    assert path.name == "summon.db"
    assert path.parent.name == "summon"
    if sys.platform == "linux":
        assert path == tmp_path / "data" / "summon" / "summon.db"


def test_a_path_may_begin_at_home_and_hold_any_letters(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    with Store.open("~/a b%20ü?#/s.db" if not WINDOWS else "~/a b%20ü#/s.db") as store:
        store.create("browser", "moss")
        assert Path(store.place).is_file()
        assert Path(store.place).is_relative_to(tmp_path)


def test_the_place_is_told_without_its_password():
    url = place.url_of("postgresql://me:secret@host/game?sslpassword=secret&sslmode=require")
    assert url.drivername == "postgresql+psycopg"
    assert place.shown(url) == "postgresql+psycopg://me:***@host/game?sslmode=require"


@pytest.mark.parametrize("where", ["sqlite://", "sqlite:///:memory:", "mysql://host/game", "://", "nothing://"])
def test_a_place_that_keeps_nothing_is_refused(where):
    assert trouble(Store.open, where).kind is Trouble.UNREACHABLE


# Files


@pytest.mark.skipif(WINDOWS, reason="Windows has no such rights")
def test_the_file_and_its_folder_are_for_their_owner_alone(file):
    old = os.umask(0)
    try:
        with Store.open(file) as store:
            store.create("browser", "moss")
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (file.parent, *file.parent.iterdir())}
    finally:
        os.umask(old)
    assert modes.pop("store") == 0o700
    assert set(modes) >= {"summon.db", "summon.db-wal"}
    assert set(modes.values()) == {0o600}


@pytest.mark.skipif(WINDOWS, reason="Windows has no such rights")
def test_a_file_that_others_could_read_is_closed_to_them_and_a_folder_left_alone(file):
    Store.open(file).close()
    file.chmod(0o644)
    file.parent.chmod(0o755)
    Store.open(file).close()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o755


def test_what_is_confirmed_is_on_disk_before_it_is_told(file):
    with Store.open(file), engine_of(str(file)).connect() as connection:
        told = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("journal_mode", "synchronous")]
        assert told == ["wal", 2]
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
        assert connection.exec_driver_sql("PRAGMA busy_timeout").scalar() == place.BUSY_SECONDS * 1000


def test_a_new_file_is_seen_whole_or_not_at_all(file, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(migrate, "_upgrade", fail)
    assert trouble(Store.open, file).kind is Trouble.FULL
    assert list(file.parent.iterdir()) == []


def test_a_file_that_another_program_made_meanwhile_is_taken_as_it_is(file):
    def late(path: Path) -> None:
        with Store.open(file) as store:
            store.create("browser", "moss")
        path.write_bytes(b"")

    assert place.make_file(file, late) is False
    with Store.open(file) as store:
        assert store.profile_of("browser") is not None
    assert [path.name for path in file.parent.iterdir()] == ["summon.db"]


def test_a_file_that_was_taken_away_is_missed_and_not_made_anew(file):
    with Store.open(file) as store:
        store.create("browser", "moss")
        store.close()
        file.unlink()
        assert trouble(store.profile_of, "browser").kind is Trouble.UNREACHABLE
    assert not file.exists()


# Trouble


@pytest.mark.parametrize(
    "content", [b"", b"not a database, and long enough to be one" * 200, b"SQLite format 3\0" * 900]
)
def test_a_damaged_file_is_told_and_left_as_it_is(file, content):
    file.parent.mkdir()
    file.write_bytes(content)
    error = trouble(Store.open, file)
    assert error.kind is Trouble.DAMAGED
    assert str(file) in error.operator
    assert file.read_bytes() == content


def test_damage_in_the_middle_is_told_and_found_by_a_check(file, tmp_path):
    with Store.open(file) as store:
        ids = [store.create(f"browser {number}", "moss").id for number in range(200)]
    content = bytearray(file.read_bytes())
    pages = [at for at in range(0, len(content), 4096) if ids[100].encode() in content[at : at + 4096]]
    for at in pages:
        content[at : at + 2000] = b"\xff" * 2000
    file.write_bytes(content)
    with Store.open(file) as store:
        report = store.check()
        assert not report.ok
        assert trouble(store.backup, tmp_path / "copy.db").kind is Trouble.DAMAGED
        assert trouble(read_all, store, ids).kind is Trouble.DAMAGED
    assert list(tmp_path.glob("*copy*")) == []
    assert file.read_bytes() == content


def test_a_database_of_another_program_is_left_alone(file):
    file.parent.mkdir()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE songs (name)")
    assert trouble(Store.open, file).kind is Trouble.FOREIGN
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE alembic_version (version_num)")
        connection.execute("INSERT INTO alembic_version VALUES ('0001')")
        connection.commit()
    assert trouble(Store.open, file).kind is Trouble.FOREIGN


def test_a_database_of_a_newer_program_is_told_and_left_as_it_is(place, store, look):
    state = store.create("browser", "moss")
    look("UPDATE alembic_version SET version_num = 'summon_9999'")
    error = trouble(Store.open, place)
    assert error.kind is Trouble.NEWER
    assert "summon_9999" in error.operator
    assert look("SELECT version_num FROM alembic_version") == [("summon_9999",)]
    assert store.get(state.id) == state


def test_a_lock_that_stays_is_told_and_what_was_asked_is_not_done(file, monkeypatch):
    monkeypatch.setattr(place, "BUSY_SECONDS", 0.1)
    with Store.open(file) as store:
        state = store.create("browser", "moss")
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            assert trouble(store.create, "another", "tide").kind is Trouble.LOCKED
            assert store.profile_of("browser") == state
        assert store.profile_of("another") is None
        store.create("another", "tide")


def test_a_row_that_stays_locked_is_told(server, monkeypatch):
    monkeypatch.setattr(place, "BUSY_SECONDS", 2)
    address = server.new_database()
    with Store.open(address) as store, server.connect(place.url_of(address).database) as other:
        state = store.create("browser", "moss")
        other.execute("BEGIN")
        other.execute("SELECT * FROM profiles FOR UPDATE")
        assert trouble(store.set_code_hash, state.id, "hash", 0).kind is Trouble.LOCKED
        assert store.profile_of("browser") == state
        other.execute("ROLLBACK")
        store.set_code_hash(state.id, "hash", 0)


def test_a_full_disk_is_told_and_what_was_confirmed_stays(file):
    with Store.open(file) as store:
        confirmed = [store.create("browser 0", "moss")]
        engine = store._engine

        def limit(connection, _record):
            connection.execute("PRAGMA max_page_count = 60")

        event.listen(engine, "connect", limit)
        engine.dispose()
        error = trouble(create_all, store, confirmed)
        assert error.kind is Trouble.FULL
        assert "no room" in error.player
        assert store.profile_of("browser 0") == confirmed[0]
        assert store.check().profiles == len(confirmed)
    with Store.open(file) as store:
        assert all(store.get(state.id) == state for state in confirmed)
        assert store.check().ok


def test_a_store_that_cannot_be_written_can_be_read(file, clock):
    with Store.open(file, clock=clock) as store:
        state = store.create("browser", "moss")
        keeps_the_log = engine_of(str(file)).connect()
        keeps_the_log.exec_driver_sql("SELECT * FROM profiles")
    clock.now = clock.now.replace(year=2031)
    with Store.open(f"sqlite:///file:{file}?mode=ro&uri=true", clock=clock) as store:
        assert store.profile_of("browser") == state
        error = trouble(store.create, "another", "tide")
        assert error.kind is Trouble.READ_ONLY
        assert store.check().ok
    keeps_the_log.close()


def test_a_database_that_refuses_to_be_written_is_told(server, clock):
    address = server.new_database()
    with Store.open(address, clock=clock) as store:
        state = store.create("browser", "moss")
        with server.connect() as other:
            name = place.url_of(address).database
            other.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        store._engine.dispose()
        clock.now = clock.now.replace(year=2031)
        assert store.profile_of("browser") == state
        assert trouble(store.create, "another", "tide").kind is Trouble.READ_ONLY


@pytest.mark.skipif(WINDOWS, reason="paths differ")
@pytest.mark.parametrize("where", ["/dev/null/s.db", "/proc/none/s.db"])
def test_a_place_where_no_file_can_be_is_told(where):
    assert trouble(Store.open, where).kind in (Trouble.UNREACHABLE, Trouble.READ_ONLY)


def test_a_folder_in_place_of_the_file_is_told_and_left_alone(file):
    file.mkdir(parents=True)
    mode = file.stat().st_mode
    assert trouble(Store.open, file).kind is Trouble.UNREACHABLE
    assert file.stat().st_mode == mode


def test_a_server_that_is_not_there_is_told(tmp_path):
    error = trouble(Store.open, f"postgresql://me:secret@/game?host={tmp_path}")
    assert error.kind is Trouble.UNREACHABLE
    assert "secret" not in error.operator


def test_a_server_that_ends_connections_is_told_once_and_then_served_again(server):
    address = server.new_database()
    with Store.open(address) as store:
        state = store.create("browser", "moss")
        with server.connect() as other:
            name = place.url_of(address).database
            other.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
        assert store.get(state.id) == state


def test_every_kind_of_trouble_has_its_sentences():
    assert set(errors.FOR_PLAYERS) == set(errors.FOR_OPERATORS) == set(Trouble)
    for kind in Trouble:
        error = StoreError(kind, "the place", "why")
        assert "the place" in error.operator
        assert error.operator.endswith("(why)")
        assert "the place" not in error.player


# The schema


def test_the_migrations_make_the_tables_that_the_program_knows(empty_place):
    with Store.open(empty_place), engine_of(empty_place).connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        differences = compare_metadata(context, tables.metadata)
        assert [each for each in differences if "alembic_version" not in str(each)] == []
        assert context.get_current_revision() == migrate.HEAD


def test_the_newest_migration_is_the_one_that_the_program_names():
    assert ScriptDirectory(str(MIGRATIONS)).get_heads() == [migrate.HEAD]


def test_opening_what_is_up_to_date_does_not_load_alembic(file):
    Store.open(file).close()
    code = (
        "import sys; from summon.store import Store; Store.open(sys.argv[1]).close(); print('alembic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(file)], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_several_programs_that_open_a_new_store_at_once_make_one(empty_place):
    code = (
        "import sys; from summon.store import Store; sys.stdin.readline()\n"
        "with Store.open(sys.argv[1]) as store: print(store.create(sys.argv[2], 'moss').id)"
    )
    programs = [
        subprocess.Popen(
            [sys.executable, "-c", code, empty_place, f"browser {number}"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(4)
    ]
    for program in programs:
        program.stdin.write("go\n")
        program.stdin.flush()
    ids = [program.communicate()[0].strip() for program in programs]
    assert [program.returncode for program in programs] == [0] * 4
    with Store.open(empty_place) as store:
        assert [store.profile_of(f"browser {number}").id for number in range(4)] == ids
        assert store.check().ok


def test_a_command_that_replays_does_not_load_the_store():
    code = (
        "import sys, summon.cli; sys.exit(any(name.startswith(('summon.store', 'sqlalchemy')) for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_store_serves_after_a_fork_on_both_sides(store):
    state = store.create("browser", "moss")
    child = os.fork()
    if child == 0:
        try:
            store.create("of the child", "tide")
        except BaseException:
            os._exit(1)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert store.get(state.id) == state
    assert store.profile_of("of the child").pet == "tide"


# Copies and checks


def test_a_backup_is_a_whole_store(file, tmp_path):
    copy = tmp_path / "copies" / "copy.db"
    with Store.open(file) as store:
        state = rich(store, store.create("browser", "moss"), 5)
        summon.store.backup(copy, file)
        later = store.buy(state.id, "card:wild")
        if not WINDOWS:
            assert stat.S_IMODE(copy.stat().st_mode) == 0o600
        assert trouble(store.backup, copy).kind is Trouble.EXISTS
        assert store.get(state.id) == later
    assert [path.name for path in copy.parent.iterdir()] == ["copy.db"]
    with Store.open(copy) as store:
        assert store.get(state.id) == state
        assert store.check().ok


def test_a_backup_does_not_overwrite_what_is_there(file, tmp_path):
    precious = tmp_path / "precious"
    precious.write_text("mine")
    with Store.open(file) as store:
        assert trouble(store.backup, precious).kind is Trouble.EXISTS
    assert precious.read_text() == "mine"


def test_how_to_back_up_postgresql_is_told(server, tmp_path):
    with Store.open(server.new_database()) as store:
        assert "pg_dump" in trouble(store.backup, tmp_path / "copy").operator


def test_a_check_counts_and_finds_nothing_wrong(place, store):
    state = rich(store, store.create("browser", "moss"), 10)
    store.buy(state.id, "card:wild")
    assert summon.store.check(place) == (store.place, 1, 2, ())
    assert store.check().ok


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        ("UPDATE profiles SET gold = gold + 1", "payments less its purchases"),
        ("UPDATE profiles SET revision = 1", "at revision 1"),
        ("UPDATE ledger SET amount = -4 WHERE item = 'card:wild'", "paid 4 for card:wild, which costs 5"),
        ("UPDATE ledger SET revision = 0 WHERE item = 'card:wild'", "its gold was -5"),
        ("UPDATE ledger SET item = 'tier:attack:3' WHERE item = 'tier:attack:2'", "tier first"),
        ("UPDATE ledger SET item = 'card:dragon' WHERE item = 'tier:attack:2'", "does not sell"),
        ("UPDATE battles SET outcome = 'second'", "does not end"),
        ("UPDATE battles SET kind = 'practice'", "5 gold was paid for it, and 0 was earned"),
        ("UPDATE battles SET record = '{}'", "format is missing"),
        ("UPDATE ledger SET amount = 6 WHERE battle_id IS NOT NULL", "6 gold was paid for it, and 5 was earned"),
    ],
)
def test_a_check_finds_what_cannot_be(store, look, damage, says):
    state = rich(store, store.create("browser", "moss"), 15)
    store.buy(state.id, "card:wild")
    store.buy(state.id, "tier:attack:2")
    look(damage)
    report = store.check()
    assert not report.ok
    assert any(says in problem for problem in report.problems), report.problems


def test_a_profile_that_breaks_a_rule_is_damage(store, look):
    state = rich(store, store.create("browser", "moss"), 5)
    store.buy(state.id, "tier:attack:2")
    look("UPDATE ledger SET item = 'tier:attack:3' WHERE item = 'tier:attack:2'")
    assert trouble(store.get, state.id).kind is Trouble.DAMAGED


@pytest.mark.rule("10.5", "11.5")
@pytest.mark.parametrize(
    "wrong",
    [
        "UPDATE profiles SET gold = -1",
        "INSERT INTO ledger SELECT profile_id, 90, amount, item, battle_id, at FROM ledger WHERE item IS NOT NULL",
        "INSERT INTO ledger SELECT profile_id, 90, amount, item, battle_id, at FROM ledger WHERE item IS NULL",
        "INSERT INTO decks SELECT id, 2, 'card:hide' FROM profiles",
        "INSERT INTO decks SELECT profile_id, 2, item FROM decks",
        "INSERT INTO seats SELECT id, 'me', 'second', 1 FROM battles",
        "UPDATE seats SET open = 1",
        "UPDATE battles SET ended = ''",
    ],
)
def test_the_database_itself_refuses_what_must_never_be(store, look, wrong):
    state = store.create("browser", "moss")
    win(store, state)
    state = rich(store, store.get(state.id), 6)
    store.buy(state.id, "card:wild")
    with pytest.raises(Exception, match=r"(?i)constraint"):
        look(wrong)
    assert store.check().ok


def test_what_only_the_database_sees_of_a_race_is_told_as_a_rule(store):
    row = {"token_hash": "same", "profile_id": store.create("browser", "moss").id}
    row |= {"linked": store._clock(), "seen": store._clock()}
    with pytest.raises(Refused, match="has profile"):
        write_twice(store, row)
    assert store.profile_of("same") is None
