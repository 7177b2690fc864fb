// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import io.flexpool.cli.Checks;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options of {@code doctor} for the server's sessions. */
final class ServerOptions {
    @Option(
            names = "--jdbc-url",
            paramLabel = "URL",
            required = true,
            description = "Reads pg_stat_activity of this PostgreSQL server once, in place of the CSV file.")
    private String url = "";

    @Option(names = "--jdbc-user", paramLabel = "NAME", description = "The database user; a member of pg_monitor.")
    private @Nullable String user;

    @Option(
            names = "--jdbc-password-env",
            paramLabel = "NAME",
            description = "The environment variable that has the password.")
    private @Nullable String variable;

    @Option(
            names = "--jdbc-password-file",
            paramLabel = "FILE",
            description = "The file whose first line is the password (default: the driver reads ~/.pgpass).")
    private @Nullable Path file;

    @Option(
            names = "--jdbc-driver",
            paramLabel = "JAR",
            description = "The driver of PostgreSQL, if it is not on the class path.")
    private @Nullable Path driver;

    /** Checks the options before anything is read. */
    SessionsQuery query(@Nullable CommandSpec command) throws IOException {
        String wrong = SessionsQuery.refused(url);
        if (wrong != null) {
            throw Checks.wrong(command, wrong);
        }
        if (variable != null && file != null) {
            throw Checks.wrong(command, "--jdbc-password-env and --jdbc-password-file: give one of them");
        }
        String password = null;
        if (variable != null) {
            password = System.getenv(variable);
            if (password == null) {
                throw Checks.wrong(
                        command, "--jdbc-password-env " + variable + ": there is no such environment variable");
            }
        } else if (file != null) {
            password = SessionsQuery.password(file);
        }
        return new SessionsQuery(url, user, password, driver);
    }
}
