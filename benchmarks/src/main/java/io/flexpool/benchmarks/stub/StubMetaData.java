// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.stub;

import java.sql.DatabaseMetaData;

/**
 * The stub driver's metadata: its URL, its product and its user, which some of flexpool's peers read with
 * each connection, and some pools when they open one. What a driver would have to ask its server for, or has kept, it knows at once.
 */
final class StubMetaData extends UnusedMetaData {
    static final DatabaseMetaData INSTANCE = new StubMetaData();

    private static final String NAME = "stub";
    private static final String VERSION = "1";

    private StubMetaData() {}

    @Override
    public String getURL() {
        return "jdbc:stub://127.0.0.1/stub";
    }

    @Override
    public String getDatabaseProductName() {
        return NAME;
    }

    @Override
    public String getDriverName() {
        return NAME;
    }

    @Override
    public String getDatabaseProductVersion() {
        return VERSION;
    }

    @Override
    public String getDriverVersion() {
        return VERSION;
    }

    /** It has no limit, or none that it knows of. */
    @Override
    public int getMaxConnections() {
        return 0;
    }

    @Override
    public String getUserName() {
        return NAME;
    }
}
