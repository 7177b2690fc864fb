// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp.classes;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How many connections there are, and who has which part of them where they are divided.
 *
 * @param connections in all
 * @param batch how many of them are batch work's, where they are divided by kind
 * @param byTenant whether they are divided by tenant instead
 */
record Shape(int connections, int batch, boolean byTenant) {
    /** Whose part a request uses. */
    String part(Ask ask) {
        return byTenant ? tenant(ask) : ask.kind();
    }

    /** The name of the tenant that a request is for. */
    static String tenant(Ask ask) {
        return "tenant-" + ask.tenant();
    }

    /** All parts, each with its share of the connections. */
    Map<String, Double> parts() {
        Map<String, Double> parts = new LinkedHashMap<>();
        double ofBatch = (double) batch / connections;
        if (!byTenant) {
            parts.put(Sharing.INTERACTIVE, 1 - ofBatch);
            parts.put(Sharing.BATCH, ofBatch);
        }
        for (int tenant = 0; byTenant && tenant < Loads.TENANTS; tenant++) {
            parts.put("tenant-" + tenant, 1.0 / Loads.TENANTS);
        }
        return parts;
    }

    /** Which of two pools a request uses: the second one is batch work's, or of half of the tenants. */
    int pool(Ask ask) {
        return (byTenant ? ask.tenant() >= Loads.TENANTS / 2 : ask.kind().equals(Sharing.BATCH)) ? 1 : 0;
    }

    /** How many connections the second one of two pools has. */
    int ofSecondPool() {
        return byTenant ? connections / 2 : batch;
    }
}
