// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session.internal.sql;

import io.flexpool.session.internal.sql.Call.Function;
import io.flexpool.session.internal.sql.Effect.Kind;
import io.flexpool.session.internal.sql.TransactionStep.Control;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads statements of MySQL and MariaDB, where a rollback does not undo changes of session state. */
final class MySqlReader extends StatementReader {
    private static final String TABLES = "tables";
    private static final String GLOBAL = "global";

    private static final Map<String, Function> FUNCTIONS = Map.of(
            "get_lock", Function.LOCK,
            "release_lock", Function.UNLOCK,
            "release_all_locks", Function.UNLOCK_ALL);

    private static final Set<String> HARMLESS = Set.of(
            "show",
            "help",
            "grant",
            "revoke",
            "alter",
            "check",
            "checksum",
            "optimize",
            "repair",
            "kill",
            "truncate",
            "rename",
            "install",
            "uninstall",
            "reset",
            "purge",
            "change",
            "stop",
            "cache",
            "shutdown",
            "restart",
            "clone",
            "binlog",
            "import",
            "signal",
            "resignal",
            "get");

    private static final Set<String> EXPRESSIONS =
            Set.of("select", "insert", "update", "delete", "replace", "with", "values", "value", "table", "do", "load");

    /** The objects whose definitions contain statements. */
    private static final Set<String> BODIES = Set.of("procedure", "function", "trigger", "event", "package");

    private static final Set<String> OBJECTS = Set.of(
            "table",
            "view",
            "index",
            "user",
            "role",
            "database",
            "schema",
            "server",
            "sequence",
            "tablespace",
            "logfile",
            "undo",
            "resource",
            "spatial");

    private static final Set<String> ISOLATION =
            Set.of("transaction_isolation", "transaction_read_only", "tx_isolation", "tx_read_only");

    /** The variable that is the last token, because an assignment may follow; otherwise null. */
    private @Nullable String variable;
    /** Within the list after INTO. */
    private boolean into;
    /** Within LOAD DATA, before its SET: variables between parentheses receive columns. */
    private boolean load;

    MySqlReader(String sql) {
        super(new Tokens(sql, true), false);
    }

    @Override
    @Nullable
    Function function(String name) {
        return FUNCTIONS.get(name);
    }

    @Override
    boolean isCatalog(String schema) {
        return false;
    }

    @Override
    void statement() {
        variable = null;
        into = false;
        load = tokens.is("load");
        if (tokens.is('(')) {
            expression(false);
            return;
        }
        if (tokens.kind() != Tokens.Kind.WORD) {
            unknown();
            return;
        }
        String first = tokens.text();
        if (EXPRESSIONS.contains(first)) {
            expression(false);
        } else if (!HARMLESS.contains(first)) {
            tokens.next();
            if (!transaction(first) && !state(first)) {
                other(first);
            }
        }
    }

    private boolean transaction(String first) {
        switch (first) {
            case "begin" -> {
                tokens.skip("work");
                if (atEnd()) {
                    begin();
                } else {
                    unknown(); // A block of statements.
                    everything();
                }
            }
            case "start" -> {
                if (tokens.is("transaction")) {
                    begin();
                }
            }
            case "commit" -> commit();
            case "rollback" -> rollback();
            case "savepoint" -> savepoint();
            case "release" -> release();
            case "xa" -> xa();
            default -> {
                return false;
            }
        }
        return true;
    }

    private void begin() {
        takes(Kind.TABLE_LOCK, TABLES);
        transaction(Control.BEGIN);
    }

    private void xa() {
        if (tokens.is("start") || tokens.is("begin")) {
            transaction(Control.BEGIN);
        } else if (tokens.is("commit")) {
            transaction(Control.COMMIT);
        } else if (tokens.is("rollback")) {
            transaction(Control.ROLLBACK);
        }
    }

    private boolean state(String first) {
        switch (first) {
            case "set" -> set();
            case "use" -> sets(Kind.DATABASE, name());
            case "lock" -> lock(true);
            case "unlock" -> lock(false);
            case "flush" -> flush();
            case "backup" -> backup();
            case "handler" -> handler();
            case "prepare" -> prepared(true);
            case "deallocate" -> {
                tokens.skip("prepare");
                prepared(false);
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private void other(String first) {
        switch (first) {
            case "create" -> create();
            case "drop" -> drop();
            case "explain", "describe", "desc" -> {
                if (tokens.skip("analyze")) {
                    inner();
                }
            }
            case "analyze" -> {
                if (!tokens.is("table") && !tokens.is("local") && !tokens.is("no_write_to_binlog")) {
                    inner(); // MariaDB runs the statement.
                }
            }
            default -> unknown(); // CALL, EXECUTE, and keywords unknown here.
        }
    }

    private void set() {
        if (tokens.is("password") || tokens.is("default")) {
            return;
        }
        if (tokens.skip("role")) {
            roleOrNames(Kind.ROLE, null);
        } else if (tokens.skip("resource")) {
            resourceGroup();
        } else if (tokens.skip("statement")) {
            while (!atEnd() && !tokens.is("for")) {
                tokens.next();
            }
            tokens.skip("for");
            inner();
        } else if (!tokens.is("transaction")) {
            assignments();
        }
    }

    private void roleOrNames(Kind kind, @Nullable String name) {
        add(new Effect(kind, name, !tokens.is("default"), false, false));
    }

    private void resourceGroup() {
        boolean others = false;
        for (; !atEnd(); tokens.next()) {
            others |= tokens.is("for");
        }
        if (!others) {
            sets(Kind.SETTING, "resource_group");
        }
    }

    /**
     * Reads a list of assignments. A keyword GLOBAL or SESSION applies until the next such keyword; a scope after
     * {@code @@} applies only to its variable.
     */
    private void assignments() {
        boolean session = true;
        do {
            if (isScope()) {
                session = tokens.is("session") || tokens.is("local");
                tokens.next();
            }
            assignment(session);
            expression(true);
        } while (tokens.skip(','));
    }

    private boolean isScope() {
        return tokens.is("session") || tokens.is("local") || isGlobal();
    }

    private boolean isGlobal() {
        return tokens.is(GLOBAL) || tokens.is("persist") || tokens.is("persist_only");
    }

    private void assignment(boolean session) {
        if (tokens.kind() == Tokens.Kind.VARIABLE) {
            sets(Kind.USER_VARIABLE, tokens.text());
            tokens.next();
        } else if (tokens.kind() == Tokens.Kind.SYSTEM) {
            tokens.next();
            systemVariable(session);
        } else if (tokens.skip("names")) {
            roleOrNames(Kind.SETTING, "names");
        } else if (tokens.skip("charset") || tokens.skip("character")) {
            tokens.skip("set");
            roleOrNames(Kind.SETTING, "character_set");
        } else if (tokens.skip("transaction")) {
            if (session) {
                characteristics();
            }
        } else {
            named(settingName(), session);
        }
    }

    /**
     * Reads a variable after {@code @@}. Without a scope, a transaction's isolation applies only to the next
     * transaction.
     */
    private void systemVariable(boolean session) {
        boolean scoped = isScope();
        boolean ofSession = scoped ? !isGlobal() : session;
        if (scoped) {
            tokens.next();
            tokens.skip('.');
        }
        String name = settingName();
        named(name, ofSession && (scoped || !ISOLATION.contains(name)));
    }

    private String settingName() {
        StringBuilder name = new StringBuilder(String.valueOf(name()));
        while (tokens.skip('.')) {
            name.append('.').append(name());
            if (name.length() > Tokens.LONGEST) {
                break;
            }
        }
        return name.toString().toLowerCase(Locale.ROOT);
    }

    private void named(String name, boolean session) {
        if (!tokens.skip('=') && tokens.kind() != Tokens.Kind.ASSIGN) {
            unknown();
            return;
        }
        if (tokens.kind() == Tokens.Kind.ASSIGN) {
            tokens.next();
        }
        if (!session) {
            return;
        }
        boolean takes = tokens.is("default");
        Kind kind = kindOf(name);
        add(new Effect(kind, kind == Kind.TIME_ZONE ? null : name, !takes, false, false));
    }

    private static Kind kindOf(String name) {
        return switch (name) {
            case "time_zone" -> Kind.TIME_ZONE;
            case "max_execution_time", "max_statement_time" -> Kind.TIMEOUT;
            default -> name.endsWith("_timeout") ? Kind.TIMEOUT : Kind.SETTING;
        };
    }

    private void characteristics() {
        boolean isolation = false;
        boolean readOnly = false;
        for (; !atEnd(); tokens.next()) {
            isolation |= tokens.is("isolation");
            readOnly |= tokens.is("only") || tokens.is("write");
        }
        if (isolation) {
            sets(Kind.SETTING, "transaction_isolation");
        }
        if (readOnly) {
            sets(Kind.SETTING, "transaction_read_only");
        }
    }

    private void lock(boolean sets) {
        if (tokens.is("instance")) {
            add(new Effect(Kind.TABLE_LOCK, "instance", sets, false, false));
        } else if (sets) {
            sets(Kind.TABLE_LOCK, TABLES);
        } else {
            takes(Kind.TABLE_LOCK, TABLES);
            takes(Kind.TABLE_LOCK, GLOBAL);
        }
    }

    private void flush() {
        if (!tokens.skip("local")) {
            tokens.skip("no_write_to_binlog");
        }
        if (!tokens.skip(TABLES) && !tokens.skip("table")) {
            return;
        }
        boolean names = !tokens.is("with");
        boolean locks = false;
        for (; !atEnd(); tokens.next()) {
            locks |= tokens.is("lock") || tokens.is("export");
        }
        if (locks) {
            sets(Kind.TABLE_LOCK, names ? TABLES : GLOBAL);
        }
    }

    /** Reads MariaDB's {@code BACKUP}: each stage of a backup blocks other sessions. */
    private void backup() {
        boolean ends = tokens.is("unlock");
        for (; !atEnd(); tokens.next()) {
            ends |= tokens.is("end");
        }
        add(new Effect(Kind.TABLE_LOCK, "backup", !ends, false, false));
    }

    private void handler() {
        @Nullable String name = lastName();
        if (tokens.skip("open")) {
            tokens.skip("as");
            sets(Kind.HANDLER, atEnd() ? name : name());
        } else if (tokens.is("close")) {
            takes(Kind.HANDLER, name);
        }
    }

    /** In lower case, also if quoted: O/R mappers quote names that people write without quotes. */
    private @Nullable String lastName() {
        @Nullable String name = name();
        while (tokens.skip('.')) {
            name = name();
        }
        return name == null ? null : name.toLowerCase(Locale.ROOT);
    }

    private void create() {
        boolean temporary = false;
        while (!atEnd()) {
            String word = tokens.kind() == Tokens.Kind.WORD ? tokens.text() : "";
            if (BODIES.contains(word)) {
                everything();
                return;
            }
            temporary |= word.equals("temporary");
            tokens.next();
            if (OBJECTS.contains(word)) {
                if (word.equals("table") || temporary) {
                    table(temporary);
                }
                return;
            }
        }
    }

    private void table(boolean temporary) {
        ifExists();
        @Nullable String name = lastName();
        if (temporary) {
            sets(Kind.TEMP_TABLE, name);
        }
        expression(false);
    }

    private void drop() {
        if (tokens.skip("prepare")) {
            prepared(false);
            return;
        }
        tokens.skip("temporary");
        if (!tokens.skip("table") && !tokens.skip(TABLES) && !tokens.skip("sequence")) {
            return;
        }
        ifExists();
        do {
            takes(Kind.TEMP_TABLE, lastName());
        } while (tokens.skip(','));
    }

    @Override
    void inExpression(int depth) {
        switch (tokens.kind()) {
            case VARIABLE -> {
                variable = tokens.text();
                if (into || (load && depth > 0)) {
                    sets(Kind.USER_VARIABLE, variable);
                    variable = null;
                }
            }
            case ASSIGN -> {
                if (variable != null) {
                    sets(Kind.USER_VARIABLE, variable);
                }
                variable = null;
            }
            default -> {
                variable = null;
                into = tokens.is("into") || (into && tokens.is(','));
                load &= !tokens.is("set");
            }
        }
    }

    @Override
    void called(Call call) {
        switch (call.function) {
            case LOCK -> sets(Kind.ADVISORY_LOCK, call.firstArgument());
            case UNLOCK -> takes(Kind.ADVISORY_LOCK, call.firstArgument());
            case UNLOCK_ALL -> takes(Kind.ADVISORY_LOCK, null);
            default -> {}
        }
    }
}
