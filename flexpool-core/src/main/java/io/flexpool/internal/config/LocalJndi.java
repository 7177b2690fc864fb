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
        String rule = "must be " + CoreKey.DATA_SOURCE_JNDI_NAME.key().allowed();
        int colon = name.indexOf(':');
        int slash = name.indexOf('/');
        boolean scheme = colon >= 0 && (slash < 0 || colon < slash);
        if (name.isBlank() || (scheme && !name.substring(0, colon).equals("java"))) {
            throw refusals.of(CoreKey.DATA_SOURCE_JNDI_NAME, name, rule + "; remote lookups are refused");
        }
        Object found;
        try {
            found = new InitialContext().lookup(name);
        } catch (NamingException absent) {
            throw refusals.of(
                    CoreKey.DATA_SOURCE_JNDI_NAME,
                    name,
                    "cannot be looked up: " + absent.getClass().getSimpleName(),
                    absent);
        }
        if (!(found instanceof DataSource dataSource)) {
            throw refusals.of(
                    CoreKey.DATA_SOURCE_JNDI_NAME,
                    name,
                    "must name a javax.sql.DataSource, not "
                            + (found == null ? "nothing" : found.getClass().getName()));
        }
        return dataSource;
    }
}
