// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.cli.ProgramRun;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;
import org.postgresql.jdbc.PgConnection;

/** The server's side, read from a PostgreSQL server where three sessions wait for a lock of another application. */
@Tag("slow") // see the profile pitest: it starts a server
@Timeout(120)
class DoctorServerTest {
    private static final String DUMP = "src/test/resources/doctor/slow.txt.gz";
    private static final String PASSWORD = "s3cret of the shop";
    /** A variable that each machine has: this JVM's environment cannot be changed. */
    private static final String VARIABLE = "PATH";

    private static final List<Connection> OPEN = new ArrayList<>();
    private static final List<Thread> WAITING = new ArrayList<>();

    @TempDir
    private static Path folder;

    private static EmbeddedPostgres server;

    @BeforeAll
    static void start() throws IOException, SQLException, InterruptedException {
        boolean root = "root".equals(System.getProperty("user.name"));
        assumeTrue(
                !root || LinuxUtils.isUnshareAvailable(),
                "PostgreSQL does not run as root, and this machine allows no user namespaces");
        EmbeddedPostgres started = EmbeddedPostgres.builder()
                .setServerConfig("listen_addresses", "127.0.0.1")
                .setServerConfig("log_statement", "all")
                .setServerConfig("log_line_prefix", "%a")
                .setServerConfig("log_directory", folder.toString())
                .setServerConfig("log_filename", "server.log")
                .setServerConfig("logging_collector", "on")
                .start();
        server = started;
        Connection admin = connect("admin");
        execute(admin, "create table stock as select 1 as id, 1 as n");
        execute(admin, "create role monitor login password '" + System.getenv(VARIABLE) + "' in role pg_monitor");
        execute(admin, "create role stranger login password '" + PASSWORD + "'");
        Connection blocker = connect("nightly-export");
        blocker.setAutoCommit(false);
        execute(blocker, "update stock set n = 2");
        for (int at = 0; at < 3; at++) {
            Connection blocked = connect("shop");
            Thread thread = new Thread(() -> {
                try {
                    execute(blocked, "update stock set n = 3");
                } catch (SQLException ended) {
                    // The server has ended it.
                }
            });
            thread.start();
            WAITING.add(thread);
        }
        while (count(admin, "wait_event_type = 'Lock'") < 3 || count(admin, "state like 'idle in%'") < 1) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    @AfterAll
    static void stop() throws IOException, InterruptedException, SQLException {
        if (server != null) {
            for (Connection each : OPEN) {
                each.abort(Runnable::run);
            }
            server.close();
            for (Thread each : WAITING) {
                each.join();
            }
        }
    }

    private static String url() {
        return server.getJdbcUrl("postgres", "postgres").replaceFirst("\\?.*", "");
    }

    private static Connection connect(String application) throws SQLException {
        Connection connection = DriverManager.getConnection(url() + "?user=postgres&ApplicationName=" + application);
        OPEN.add(connection);
        return connection;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static int count(Connection connection, String condition) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from pg_stat_activity where " + condition)) {
            row.next();
            return row.getInt(1);
        }
    }

    private static ProgramRun doctor(String... more) {
        List<String> arguments = new ArrayList<>(List.of("doctor", DUMP, "--json", "-"));
        arguments.addAll(List.of(more));
        return ProgramRun.of(arguments.toArray(String[]::new));
    }

    private static JsonNode json(ProgramRun run) throws IOException {
        return new ObjectMapper().readTree(run.out());
    }

    /** As psql writes it: zonky's binaries have no psql. */
    private static Path csv() throws SQLException, IOException {
        StringWriter text = new StringWriter();
        try (Connection reader = DriverManager.getConnection(url() + "?user=postgres")) {
            new CopyManager(reader.unwrap(PgConnection.class))
                    .copyOut(
                            "copy (select *, pg_blocking_pids(pid) as blocked_by from pg_stat_activity) to stdout"
                                    + " with csv header",
                            text);
        }
        return Files.writeString(folder.resolve("sessions.csv"), text.toString());
    }

    @Test
    void theServerHasTheFactsOfTheFile() throws Exception {
        ProgramRun run = doctor("--jdbc-url", url(), "--jdbc-user", "monitor", "--jdbc-password-env", VARIABLE);
        assertThat(run.code()).as(run.err()).isZero();
        JsonNode answer = json(run);
        assertThat(answer.path("cause").asText()).isEqualTo("blocked_by_other");
        assertThat(answer.path("server").path(0).asText())
                .isEqualTo("3 active, 3 of them wait for locks, 1 idle in transaction");
        assertThat(answer.path("server").path(1).asText())
                .startsWith("first blocker: pid ")
                .endsWith("idle in transaction, application nightly-export");
        assertThat(json(ProgramRun.of("doctor", DUMP, csv().toString(), "--json", "-")))
                .isEqualTo(answer);
    }

    @Test
    void oneTransactionThatCannotWriteReadsWithinLimitedTime() throws Exception {
        Path log = folder.resolve("server.log");
        long before = Files.size(log);
        assertThat(doctor("--jdbc-url", url(), "--jdbc-user", "postgres").code())
                .isZero();
        List<String> own = List.of();
        while (own.isEmpty() || !own.get(own.size() - 1).equals("ROLLBACK")) {
            TimeUnit.MILLISECONDS.sleep(20);
            own = Files.readString(log)
                    .substring((int) before)
                    .lines()
                    .filter(line -> line.startsWith("flexpool doctor"))
                    .map(line -> line.replaceFirst("^.*LOG: +(statement|execute \\S+): ", ""))
                    .toList();
        }
        assertThat(own)
                .hasSize(4)
                .startsWith("BEGIN READ ONLY", "set local statement_timeout = '10s'")
                .element(2)
                .asString()
                .startsWith("select ")
                .contains("pg_stat_activity");
    }

    @Test
    void thePasswordOfAFileIsItsFirstLine() throws Exception {
        Path file = Files.writeString(folder.resolve("password"), PASSWORD + "\nmore\n");
        ProgramRun run =
                doctor("--jdbc-url", url(), "--jdbc-user", "stranger", "--jdbc-password-file", file.toString());
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out() + run.err()).doesNotContain(PASSWORD);
        // This role may not see what others do.
        assertThat(json(run).path("missing").toString())
                .contains("5 sessions of other users: grant pg_monitor to the user");
        assertThat(json(run).path("cause").asText()).isEqualTo("held");
    }

    @Test
    void aServerThatRefusesLeavesTheRestOfTheAnswer() throws Exception {
        Path file = Files.writeString(folder.resolve("empty"), "");
        ProgramRun run =
                doctor("--jdbc-url", url() + "x", "--jdbc-user", "postgres", "--jdbc-password-file", file.toString());
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err())
                .contains("the sessions were not read: FATAL: database \"postgresx\" does not exist")
                .doesNotContain("\tat ");
        assertThat(json(run).path("cause").asText()).isEqualTo("held");
        assertThat(doctor("--jdbc-url", "jdbc:postgresql://127.0.0.1:1/x").err())
                .contains("the sessions were not read: Connection to 127.0.0.1:1 refused");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://db/shop?password=geheim",
                "jdbc:postgresql://db/shop?user=a&sslPassword=geheim",
                "jdbc:postgresql://shop:geheim@db/shop",
                "postgres://shop:geheim@db/shop"
            })
    void aPasswordOnTheCommandLineIsRefusedAndNotRepeated(String url) {
        ProgramRun run = doctor("--jdbc-url", url);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out() + run.err()).contains("--jdbc-password-env").doesNotContain("geheim");
    }

    @Test
    void optionsThatCannotBeMeantAreRefused() throws IOException {
        assertThat(doctor("--jdbc-url", "jdbc:mysql://db/shop").err())
                .contains("--jdbc-url must begin with jdbc:postgresql:");
        assertThat(doctor("--jdbc-user", "shop").err()).contains("--jdbc-url");
        assertThat(doctor("--jdbc-url", url(), "--jdbc-password-env", "FLEXPOOL_NOT_SET")
                        .err())
                .contains("FLEXPOOL_NOT_SET: there is no such environment variable");
        assertThat(doctor("--jdbc-url", url(), "--jdbc-password-file", folder.toString())
                        .err())
                .contains("not a file with a password");
        assertThat(doctor("--jdbc-url", url(), "--jdbc-driver", "none.jar").err())
                .contains("--jdbc-driver none.jar: no such file");
        Path other =
                Files.copy(Path.of(jar(com.zaxxer.hikari.HikariDataSource.class)), folder.resolve("not-a-driver.jar"));
        assertThat(doctor("--jdbc-url", url(), "--jdbc-driver", other.toString())
                        .err())
                .contains("no PostgreSQL driver was found; give its jar: --jdbc-driver postgresql.jar");
    }

    private static String jar(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation().getPath();
    }

    /** The class loader of the program has none, as that of flexpool.jar. */
    @Test
    void theDriverMayBeAJar() throws Exception {
        Path output = folder.resolve("output");
        List<String> classPath = new ArrayList<>();
        for (String each : System.getProperty("java.class.path").split(java.io.File.pathSeparator, -1)) {
            if (!each.contains("postgresql")) {
                classPath.add(each);
            }
        }
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                String.join(java.io.File.pathSeparator, classPath),
                "io.flexpool.cli.FlexpoolCli",
                "doctor",
                DUMP,
                "--jdbc-url",
                url(),
                "--jdbc-user",
                "postgres"));
        assertThat(run(command, output)).isEqualTo(1);
        assertThat(output).content().contains("--jdbc-driver postgresql.jar");
        command.addAll(List.of("--jdbc-driver", jar(PGConnection.class)));
        assertThat(run(command, output)).isZero();
        assertThat(output).content().contains("holders wait for a lock of another session");
    }

    private static int run(List<String> command, Path output) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start()
                .waitFor();
    }
}
