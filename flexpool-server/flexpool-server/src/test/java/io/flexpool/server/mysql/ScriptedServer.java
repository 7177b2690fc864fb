// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.mysql;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A server that gives prepared answers: for what the server of the contract does not do, and for MySQL, of which there is
 * no server from Maven. That a real MySQL answers the same queries was checked by its manual only.
 */
final class ScriptedServer {
    private final String version;
    private final Function<String, Object> answers;
    private final List<String> asked = new ArrayList<>();
    private final List<Integer> timeouts = new ArrayList<>();

    /**
     * Not yet asked.
     *
     * @param answers for a statement, the rows by their columns' names, as a list, or the exception
     */
    ScriptedServer(String version, Function<String, Object> answers) {
        this.version = version;
        this.answers = answers;
    }

    /** The statements, in order. */
    List<String> asked() {
        return asked;
    }

    /** The network timeouts that were set, in milliseconds. */
    List<Integer> timeouts() {
        return timeouts;
    }

    /** A row of sessions, with what is the same in all of them. */
    static Map<String, @Nullable Object> process(long id, @Nullable Object... more) {
        Map<String, @Nullable Object> row = new HashMap<>(Map.of(
                "id",
                id,
                "user",
                "flex",
                "host",
                "127.0.0.1:" + (40_000 + id),
                "command",
                "Query",
                "used",
                7,
                "usable",
                151,
                "user_limit",
                0,
                "recorded",
                1));
        row.put("login", "flex@127.0.0.1");
        row.put("account", "flex@%");
        for (int at = 0; at < more.length; at += 2) {
            row.put(String.valueOf(more[at]), more[at + 1]);
        }
        return row;
    }

    Connection connection() {
        return proxy(Connection.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "getMetaData" -> proxy(DatabaseMetaData.class, (itself, its, none) -> version);
            case "createStatement" -> statement();
            case "getNetworkTimeout" -> 12_345;
            case "setNetworkTimeout" -> {
                timeouts.add((Integer) arguments[1]);
                yield null;
            }
            case "isClosed" -> false;
            default -> throw new AssertionError(method);
        });
    }

    private Statement statement() {
        List<List<Map<String, Object>>> last = new ArrayList<>();
        return proxy(Statement.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "execute" -> {
                String text = String.valueOf(arguments[0]);
                asked.add(text);
                Object answer = answers.apply(text);
                if (answer instanceof SQLException refused) {
                    throw refused;
                }
                @SuppressWarnings("unchecked")
                List<Map<String, Object>> rows = (List<Map<String, Object>>) answer;
                last.add(rows);
                yield true;
            }
            case "getResultSet" -> rows(last.get(last.size() - 1));
            case "close" -> null;
            default -> throw new AssertionError(method);
        });
    }

    private static ResultSet rows(List<Map<String, Object>> rows) {
        int[] at = {-1};
        Object[] last = {null};
        return proxy(ResultSet.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "next" -> ++at[0] < rows.size();
            case "wasNull" -> last[0] == null;
            case "close" -> null;
            default -> {
                last[0] = rows.get(at[0]).get(String.valueOf(arguments[0]));
                yield value(method.getReturnType(), last[0]);
            }
        });
    }

    private static @Nullable Object value(Class<?> type, @Nullable Object value) {
        if (type == String.class) {
            return value == null ? null : value.toString();
        }
        Number number = value instanceof Number one ? one : 0;
        if (type == int.class) {
            return number.intValue();
        }
        if (type == long.class) {
            return number.longValue();
        }
        return type == boolean.class ? (Object) (number.intValue() != 0) : (Object) number.doubleValue();
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(ScriptedServer.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
