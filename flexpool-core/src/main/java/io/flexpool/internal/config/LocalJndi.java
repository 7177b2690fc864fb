// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;

/** Looks a data source up, locally only: a name that leads to another machine can make it run foreign code. */
public final class LocalJndi {
    private LocalJndi() {}

    @SuppressWarnings("BanJNDI") // that is why the name must be local
    public static DataSource lookUp(Refusals refusals, String name) {
        CoreKey key = CoreKey.DATA_SOURCE_JNDI_NAME;
        int colon = name.indexOf(':');
        int slash = name.indexOf('/');
        boolean scheme = colon >= 0 && (slash < 0 || colon < slash);
        if (name.isBlank() || (scheme && !name.startsWith("java:"))) {
            throw refusals.of(key, name, "must be " + key.key().allowed() + "; remote lookups are refused");
        }
        try {
            Object found = new InitialContext().lookup(name);
            if (found instanceof DataSource dataSource) {
                return dataSource;
            }
            String other = found == null ? "nothing" : found.getClass().getName();
            throw refusals.of(key, name, "must name a javax.sql.DataSource, not " + other);
        } catch (NamingException absent) {
            String rule = "cannot be looked up: " + absent.getClass().getSimpleName();
            throw refusals.of(key, name, rule, absent);
        }
    }
}
