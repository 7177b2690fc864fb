// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the sessions of a PostgreSQL server once: by one connection, one read-only transaction, and one query with a
 * time limit. No message contains the password.
 */
final class SessionsQuery {
    /**
     * The query of the documentation for psql, except that blockers are queried only for sessions that wait for a lock.
     */
    private static final String QUERY = "select *, case when wait_event_type = 'Lock' then pg_blocking_pids(pid) end as"
            + " blocked_by from pg_stat_activity";

    private static final String PREFIX = "jdbc:postgresql:";
    /** A password in a URL, which is refused: the list of processes and the shell's history would show it. */
    private static final Pattern SECRET = Pattern.compile("(?i)[?&][^=&?]*password=|//[^/@:]*:[^/@]*@");

    private static final String SECONDS = "10";
    /** Longer than the statement timeout, which ends the query on the server. */
    private static final String SOCKET_SECONDS = "20";

    private static final int LARGEST_FILE = 1 << 16;

    private final String url;
    private final @Nullable String user;
    private final @Nullable String password;
    private final @Nullable Path driver;

    /**
     * Prepares the query, without connecting yet.
     *
     * @param user the user; null for the URL's or driver's
     * @param password the password; null for that of the driver's password file
     * @param driver the driver's jar; null for the driver on the class path
     */
    SessionsQuery(String url, @Nullable String user, @Nullable String password, @Nullable Path driver) {
        this.url = url;
        this.user = user;
        this.password = password;
        this.driver = driver;
    }

    /** Why a URL is refused, without its text; null if it is not. */
    static @Nullable String refused(String url) {
        if (SECRET.matcher(url).find()) {
            return "--jdbc-url must not contain a password: use --jdbc-password-env or --jdbc-password-file";
        }
        return url.startsWith(PREFIX) ? null : "--jdbc-url must begin with " + PREFIX;
    }

    /**
     * The password: the first line of a file.
     *
     * @throws IOException if the file cannot be read; the message has file and reason
     */
    static String password(Path file) throws IOException {
        if (Files.isDirectory(file) || Files.size(file) > LARGEST_FILE) {
            throw new IOException(file + ": not a file with a password");
        }
        try (Stream<String> lines = Files.lines(file)) {
            return lines.findFirst().orElse("");
        }
    }

    /**
     * Reads the sessions.
     *
     * @throws IOException if that fails; the message has the reason
     */
    ServerSessions read() throws IOException {
        Path jar = driver;
        if (jar == null) {
            return read(DriverManager.drivers());
        }
        if (!Files.isRegularFile(jar)) {
            throw new IOException("--jdbc-driver " + jar + ": no such file");
        }
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
            return read(ServiceLoader.load(Driver.class, loader).stream().map(ServiceLoader.Provider::get));
        }
    }

    private ServerSessions read(Stream<Driver> drivers) throws IOException {
        Driver found = drivers.filter(this::accepts)
                .findFirst()
                .orElseThrow(() ->
                        new IOException("the sessions were not read: no PostgreSQL driver was found; give its jar:"
                                + " --jdbc-driver postgresql.jar"));
        Properties settings = new Properties();
        if (user != null) {
            settings.setProperty("user", user);
        }
        if (password != null) {
            settings.setProperty("password", password);
        }
        settings.setProperty("ApplicationName", "flexpool doctor");
        settings.setProperty("connectTimeout", SECONDS);
        settings.setProperty("loginTimeout", SECONDS);
        settings.setProperty("socketTimeout", SOCKET_SECONDS);
        try (Connection connection = Objects.requireNonNull(found.connect(url, settings), "accepted the URL")) {
            connection.setReadOnly(true);
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute("set local statement_timeout = '" + SECONDS + "s'");
                return sessions(statement);
            } finally {
                connection.rollback();
            }
        } catch (SQLException failed) {
            throw new IOException("the sessions were not read: " + words(failed), failed);
        }
    }

    private boolean accepts(Driver each) {
        try {
            return each.acceptsURL(url);
        } catch (SQLException other) {
            return false;
        }
    }

    private static ServerSessions sessions(Statement statement) throws SQLException {
        List<Map<String, String>> rows = new ArrayList<>();
        try (ResultSet read = statement.executeQuery(QUERY)) {
            ResultSetMetaData columns = read.getMetaData();
            while (read.next()) {
                Map<String, String> row = new HashMap<>();
                for (int at = 1; at <= columns.getColumnCount(); at++) {
                    row.put(
                            columns.getColumnLabel(at).toLowerCase(Locale.ROOT),
                            Objects.requireNonNullElse(read.getString(at), "").strip());
                }
                rows.add(row);
            }
        }
        return ServerSessions.of(rows);
    }

    /** The failure in one line, with the password masked. */
    private String words(SQLException failed) {
        String words = String.valueOf(failed.getMessage()).strip().replaceAll("\\s+", " ");
        return password == null || password.isEmpty()
                ? words
                : words.replaceAll(Pattern.quote(password), Matcher.quoteReplacement("***"));
    }
}
