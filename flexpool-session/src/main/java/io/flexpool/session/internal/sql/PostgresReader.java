// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session.internal.sql;

import io.flexpool.session.internal.sql.Call.Function;
import io.flexpool.session.internal.sql.Effect.Kind;
import io.flexpool.session.internal.sql.TransactionStep.Control;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads statements of PostgreSQL. */
final class PostgresReader extends StatementReader {
    private static final String TEMP_SCHEMA = "pg_temp";

    private static final Map<String, Function> FUNCTIONS = Map.ofEntries(
            Map.entry("set_config", Function.SET_CONFIG),
            Map.entry("pg_advisory_lock", Function.LOCK),
            Map.entry("pg_try_advisory_lock", Function.LOCK),
            Map.entry("pg_advisory_lock_shared", Function.LOCK_SHARED),
            Map.entry("pg_try_advisory_lock_shared", Function.LOCK_SHARED),
            Map.entry("pg_advisory_unlock", Function.UNLOCK),
            Map.entry("pg_advisory_unlock_shared", Function.UNLOCK_SHARED),
            Map.entry("pg_advisory_unlock_all", Function.UNLOCK_ALL),
            Map.entry("nextval", Function.NEXT_VALUE),
            Map.entry("currval", Function.LAST_VALUE),
            Map.entry("lastval", Function.LAST_VALUE));

    /** The first keywords of statements that run no expression and leave no session state. */
    private static final Set<String> HARMLESS = Set.of(
            "show",
            "notify",
            "fetch",
            "move",
            "alter",
            "grant",
            "revoke",
            "comment",
            "vacuum",
            "analyze",
            "analyse",
            "truncate",
            "reindex",
            "cluster",
            "refresh",
            "lock",
            "checkpoint",
            "import",
            "security",
            "reassign",
            "repack");

    /** Settings that end with the transaction, and the seed of random(), which cannot be read back. */
    private static final Set<String> NOT_OF_SESSION =
            Set.of("seed", "transaction_isolation", "transaction_read_only", "transaction_deferrable");

    /** The values that turn off an option of EXPLAIN, as a word, a literal or a number. */
    private static final Set<String> OFF = Set.of("off", "false", "0");

    /** How far INTO [LOCAL] TEMP [TABLE] name has been read: the last word, or "" outside. */
    private String into = "";
    /** How far ON COMMIT DROP has been read. */
    private String onCommit = "";

    private boolean inserts;
    /** Whether expressions are executed: false in the column list of CREATE TABLE. */
    private boolean runs = true;

    PostgresReader(String sql) {
        super(new Tokens(sql, false), true);
    }

    @Override
    @Nullable
    Function function(String name) {
        return FUNCTIONS.get(name);
    }

    @Override
    boolean isCatalog(String schema) {
        return schema.equals("pg_catalog");
    }

    @Override
    void statement() {
        into = "";
        onCommit = "";
        inserts = false;
        runs = true;
        if (tokens.is('(')) {
            expression(false);
            return;
        }
        if (tokens.kind() != Tokens.Kind.WORD) {
            unknown();
            return;
        }
        String first = tokens.text();
        if (HARMLESS.contains(first)) {
            return;
        }
        switch (first) {
            case "select", "insert", "delete", "merge", "with", "values", "table", "copy" -> expression(false);
            default -> {
                tokens.next();
                if (!transaction(first) && !state(first)) {
                    other(first);
                }
            }
        }
    }

    private boolean transaction(String first) {
        switch (first) {
            case "begin", "start" -> transaction(Control.BEGIN);
            case "commit", "end" -> commit();
            case "rollback", "abort" -> rollback();
            case "savepoint" -> savepoint();
            case "release" -> release();
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean state(String first) {
        switch (first) {
            case "set" -> set();
            case "reset" -> reset();
            case "listen" -> sets(Kind.LISTEN, name());
            case "unlisten" -> takes(Kind.LISTEN, name());
            case "prepare" -> prepare();
            case "deallocate" -> deallocate();
            case "declare" -> declare();
            case "close" -> add(new Effect(Kind.HOLD_CURSOR, allOrName(), false, false, false));
            case "discard" -> discard();
            case "load" -> add(new Effect(Kind.LIBRARY, name(), true, false, false));
            default -> {
                return false;
            }
        }
        return true;
    }

    private void other(String first) {
        switch (first) {
            case "update" -> update();
            case "create" -> create();
            case "drop" -> drop();
            case "explain" -> explain();
            default -> unknown(); // DO, CALL, EXECUTE, and statements unknown to PostgreSQL.
        }
    }

    private void set() {
        boolean local = tokens.skip("local");
        if (!local && tokens.skip("session")) {
            if (tokens.skip("characteristics")) {
                characteristics();
                return;
            }
            if (tokens.skip("authorization")) {
                assigned(Kind.SESSION_AUTHORIZATION, null, local);
                return;
            }
        }
        if (tokens.kind() != Tokens.Kind.WORD && tokens.kind() != Tokens.Kind.QUOTED) {
            unknown();
            return;
        }
        String name = settingName();
        switch (name) {
            case "role" -> {
                assignment();
                assigned(Kind.ROLE, null, local);
            }
            case "session" -> {
                tokens.skip("authorization");
                assigned(Kind.SESSION_AUTHORIZATION, null, local);
            }
            case "transaction", "constraints" -> {}
            case "time" -> {
                tokens.skip("zone");
                assigned(Kind.TIME_ZONE, null, local);
            }
            case "names" -> assigned(Kind.SETTING, "client_encoding", local);
            case "schema" -> assigned(Kind.SEARCH_PATH, null, local);
            case "xml" -> assigned(Kind.SETTING, "xmloption", local);
            default -> {
                assignment();
                boolean empty = tokens.kind() == Tokens.Kind.STRING && tokens.size() == 0;
                setting(name, tokens.is("default") || (empty && isInitial(name, "")), local);
            }
        }
    }

    private void assignment() {
        if (!tokens.skip("to")) {
            tokens.skip('=');
        }
    }

    /** Reads the name of a setting, which may contain dots. */
    private String settingName() {
        StringBuilder name = new StringBuilder(String.valueOf(name()));
        while (tokens.skip('.')) {
            name.append('.').append(name());
            if (name.length() > Tokens.LONGEST) {
                return "";
            }
        }
        return name.toString().toLowerCase(Locale.ROOT);
    }

    private void assigned(Kind kind, @Nullable String name, boolean local) {
        boolean none = tokens.is("default")
                || (kind == Kind.TIME_ZONE && tokens.is("local"))
                || (kind == Kind.SETTING && atEnd())
                || (kind == Kind.ROLE && isNone());
        add(new Effect(kind, name, !none, true, local));
    }

    private boolean isNone() {
        return tokens.is("none")
                || (tokens.kind() == Tokens.Kind.STRING && tokens.text().equals("none"));
    }

    private void setting(@Nullable String name, boolean takes, boolean local) {
        if (name == null || name.isEmpty()) {
            add(new Effect(Kind.SETTING, null, true, true, local));
        } else if (!NOT_OF_SESSION.contains(name)) {
            Kind kind = kindOf(name);
            boolean named = kind == Kind.SETTING || kind == Kind.TIMEOUT;
            add(new Effect(kind, named ? name : null, !takes, true, local));
        }
    }

    /** Whether a new session has this value. An empty variable of the application counts as not set. */
    private static boolean isInitial(String name, String value) {
        return name.equals("role") ? value.equals("none") : name.indexOf('.') > 0 && value.isEmpty();
    }

    private static Kind kindOf(String name) {
        return switch (name) {
            case "role" -> Kind.ROLE;
            case "session_authorization" -> Kind.SESSION_AUTHORIZATION;
            case "search_path" -> Kind.SEARCH_PATH;
            case "timezone" -> Kind.TIME_ZONE;
            default -> name.endsWith("_timeout") ? Kind.TIMEOUT : Kind.SETTING;
        };
    }

    /** Reads the modes after {@code SET SESSION CHARACTERISTICS AS TRANSACTION}, which are settings of the session. */
    private void characteristics() {
        boolean not = false;
        boolean isolation = false;
        boolean readOnly = false;
        boolean deferrable = false;
        for (; !atEnd(); tokens.next()) {
            not |= tokens.is("not");
            isolation |= tokens.is("isolation");
            readOnly |= tokens.is("only") || tokens.is("write");
            deferrable |= tokens.is("deferrable");
        }
        if (isolation) {
            sets(Kind.SETTING, "default_transaction_isolation");
        }
        if (readOnly) {
            sets(Kind.SETTING, "default_transaction_read_only");
        }
        if (deferrable || not) {
            sets(Kind.SETTING, "default_transaction_deferrable");
        }
    }

    private void reset() {
        if (tokens.is("all")) {
            takes(Kind.SETTING, null);
        } else if (tokens.skip("session")) {
            takes(Kind.SESSION_AUTHORIZATION, null);
        } else if (tokens.skip("time")) {
            takes(Kind.TIME_ZONE, null);
        } else if (!tokens.is("transaction")) {
            setting(settingName(), true, false);
        }
    }

    private void prepare() {
        boolean transaction = tokens.is("transaction");
        @Nullable String name = name();
        if (transaction && tokens.kind() == Tokens.Kind.STRING) {
            transaction(Control.COMMIT);
        } else {
            add(new Effect(Kind.PREPARED, name, true, false, false));
        }
    }

    private void deallocate() {
        tokens.skip("prepare");
        add(new Effect(Kind.PREPARED, allOrName(), false, false, false));
    }

    private @Nullable String allOrName() {
        return tokens.skip("all") ? null : name();
    }

    private void declare() {
        @Nullable String name = name();
        boolean with = false;
        for (; !atEnd() && !tokens.is("for"); tokens.next()) {
            if (with && tokens.is("hold")) {
                sets(Kind.HOLD_CURSOR, name);
            }
            with = tokens.is("with");
        }
        expression(false);
    }

    private void discard() {
        if (tokens.is("temp") || tokens.is("temporary")) {
            takes(Kind.TEMP_TABLE, null);
        } else if (tokens.is("all")) {
            takes(Kind.SESSION_AUTHORIZATION, null);
            takes(Kind.ROLE, null);
            takes(Kind.SETTING, null);
            add(new Effect(Kind.PREPARED, null, false, false, false));
            add(new Effect(Kind.HOLD_CURSOR, null, false, false, false));
            takes(Kind.LISTEN, null);
            add(new Effect(Kind.ADVISORY_LOCK, null, false, false, false));
            takes(Kind.TEMP_TABLE, null);
        }
    }

    /** Reads an UPDATE: the view {@code pg_settings} has a rule that calls {@code set_config}. */
    private void update() {
        tokens.skip("only");
        @Nullable String table = name();
        if (tokens.skip('.')) {
            table = isCatalog(String.valueOf(table)) ? name() : null;
        }
        if ("pg_settings".equals(table)) {
            sets(Kind.SETTING, null);
        }
        expression(false);
    }

    private void create() {
        boolean temporary = false;
        while (tokens.is("or")
                || tokens.is("replace")
                || tokens.is("global")
                || tokens.is("local")
                || tokens.is("unlogged")
                || tokens.is("recursive")
                || tokens.is("temp")
                || tokens.is("temporary")) {
            temporary |= tokens.is("temp") || tokens.is("temporary");
            tokens.next();
        }
        if (tokens.is("function") || tokens.is("procedure")) {
            tokens.next();
            relation(false, true);
            body();
        } else if (tokens.is("view") || tokens.is("sequence") || tokens.is("type") || tokens.is("domain")) {
            tokens.next();
            relation(temporary, true);
        } else if (tokens.skip("table")) {
            table(temporary);
        }
    }

    private void table(boolean temporary) {
        ifExists();
        Relation relation = relation();
        runs = false;
        expression(false);
        if (temporary || relation.temporary()) {
            add(new Effect(Kind.TEMP_TABLE, relation.name(), true, true, onCommit.equals("drop")));
        }
    }

    private void relation(boolean temporary, boolean sets) {
        ifExists();
        Relation relation = relation();
        if (temporary || relation.temporary()) {
            add(new Effect(Kind.TEMP_TABLE, relation.name(), sets, true, false));
        }
    }

    /** A relation's name and schema. */
    private record Relation(
            @Nullable String schema, @Nullable String name) {
        boolean temporary() {
            return TEMP_SCHEMA.equals(schema);
        }
    }

    private Relation relation() {
        @Nullable String name = name();
        return tokens.skip('.') ? new Relation(String.valueOf(name), name()) : new Relation(null, name);
    }

    /**
     * Reads a function's body: a literal, or statements between BEGIN ATOMIC and END. Counts CASE, which has an END
     * too.
     */
    private void body() {
        while (!atEnd() && !tokens.is("atomic")) {
            tokens.next();
        }
        int open = tokens.skip("atomic") ? 1 : 0;
        while (open > 0 && !tokens.ended()) {
            if (tokens.is("case")) {
                open++;
            } else if (tokens.is("end")) {
                open--;
            }
            tokens.next();
        }
    }

    private void drop() {
        if (!tokens.is("table")
                && !tokens.is("view")
                && !tokens.is("sequence")
                && !tokens.is("type")
                && !tokens.is("domain")) {
            return;
        }
        tokens.next();
        ifExists();
        do {
            Relation relation = relation();
            if (relation.schema() == null || relation.temporary()) {
                takes(Kind.TEMP_TABLE, relation.name());
            }
        } while (tokens.skip(','));
    }

    private void explain() {
        boolean analyze = false;
        if (tokens.skip('(')) {
            boolean option = false;
            for (; !atEnd() && !tokens.is(')'); tokens.next()) {
                if (option && OFF.contains(tokens.text().toLowerCase(Locale.ROOT))) {
                    analyze = false;
                }
                option = tokens.is("analyze") || tokens.is("analyse");
                analyze |= option;
            }
            tokens.skip(')');
        } else {
            while (tokens.is("analyze") || tokens.is("analyse") || tokens.is("verbose")) {
                analyze |= !tokens.is("verbose");
                tokens.next();
            }
        }
        if (analyze) {
            inner();
        }
    }

    @Override
    void inExpression(int depth) {
        if (tokens.kind() == Tokens.Kind.WORD) {
            if (depth == 0) {
                runs |= tokens.is("as");
                onCommit();
            }
            into();
        } else {
            if (into.equals("temp") || into.equals("dot")) {
                temporaryInto();
            } else {
                into = into.equals(TEMP_SCHEMA) && tokens.is('.') ? "dot" : "";
            }
            inserts = false;
        }
    }

    private void onCommit() {
        if (onCommit.equals("commit")) {
            onCommit = tokens.is("drop") ? "drop" : "";
        } else if (onCommit.equals("on")) {
            onCommit = tokens.is("commit") ? "commit" : "";
        } else if (!onCommit.equals("drop") && tokens.is("on")) {
            onCommit = "on";
        }
    }

    /** Reads INTO: after SELECT it creates a table, in INSERT and MERGE it names one. */
    private void into() {
        switch (into) {
            case "into" -> {
                if (tokens.is("temp") || tokens.is("temporary")) {
                    into = "temp";
                } else if (tokens.is(TEMP_SCHEMA)) {
                    into = TEMP_SCHEMA;
                } else if (!tokens.is("local") && !tokens.is("global")) {
                    into = "";
                }
            }
            case "temp", "dot" -> {
                if (!tokens.is("table")) {
                    temporaryInto();
                }
            }
            default -> into = tokens.is("into") && !inserts ? "into" : "";
        }
        inserts = tokens.is("insert") || tokens.is("merge");
    }

    private void temporaryInto() {
        sets(Kind.TEMP_TABLE, tokens.text());
        into = "";
    }

    @Override
    void called(Call call) {
        if (!runs) {
            return;
        }
        switch (call.function) {
            case SET_CONFIG -> {
                String local = String.valueOf(call.literal(2)).toLowerCase(Locale.ROOT);
                @Nullable String name = call.literal(0);
                String value = call.literal(1);
                name = name == null ? null : name.toLowerCase(Locale.ROOT);
                setting(
                        name,
                        name != null && value != null && isInitial(name, value),
                        Set.of("true", "t", "yes", "y", "on", "1").contains(local));
            }
            case LOCK -> lock(call.arguments(), true);
            case LOCK_SHARED -> lock("shared " + call.arguments(), true);
            case UNLOCK -> lock(call.arguments(), false);
            case UNLOCK_SHARED -> lock("shared " + call.arguments(), false);
            case UNLOCK_ALL -> lock(null, false);
            case NEXT_VALUE -> sequence(true);
            case LAST_VALUE -> sequence(false);
        }
    }

    private void lock(@Nullable String name, boolean sets) {
        add(new Effect(Kind.ADVISORY_LOCK, name, sets, false, false));
    }
}
