// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.pgbouncer;

import io.flexpool.spi.PartContext;
import io.flexpool.spi.PartContext.PartSettings;
import io.flexpool.spi.PartKey;
import io.flexpool.spi.PoolPart;
import io.flexpool.spi.PoolPartProvider;
import io.flexpool.spi.Texts;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Adds the reading of PgBouncer's console to each wrapped pool with a configured console. Found by
 * {@link java.util.ServiceLoader}; not meant to be called.
 */
public final class PgBouncerPartProvider implements PoolPartProvider {
    // A separate key, because pools do not reveal their passwords, and the console is a separate database.
    static final PartKey<String> PGBOUNCER = PartKey.text(
            "server-view.pgbouncer",
            "a JDBC URL, for example jdbc:postgresql://host:6432/pgbouncer?user=stats",
            "URL of PgBouncer's console, for a user in stats_users: flexpool reports how many clients wait inside PgBouncer."
                    + " Its password is never logged or shown.");

    private static final Pattern URL = Pattern.compile("jdbc:postgresql:.*/pgbouncer(\\?.*)?");

    /** Called by the service loader. */
    public PgBouncerPartProvider() {}

    @Override
    public String name() {
        return "pgbouncer";
    }

    @Override
    public List<PartKey<?>> keys() {
        return List.of(PGBOUNCER);
    }

    /** Checks the URL without the driver. The message masks passwords. */
    @Override
    public void check(PartSettings settings, PartSettings.Refusals refusals) {
        settings.get(PGBOUNCER)
                .filter(url -> !URL.matcher(url).matches())
                .ifPresent(url -> refusals.refuse(PGBOUNCER, url, "must be " + PGBOUNCER.range()));
    }

    @Override
    public @Nullable PoolPart create(PartContext pool) {
        String url = pool.settings().get(PGBOUNCER).orElse(null);
        if (url == null) {
            return null;
        }
        try {
            return new PgBouncerPart(pool, new PgBouncerConsole(url));
        } catch (IllegalArgumentException noUrl) {
            // Omits the driver's message, which may contain a password.
            throw new IllegalArgumentException(pool.name() + ": flexpool." + PGBOUNCER.name() + " = " + Texts.line(url)
                    + ": must be " + PGBOUNCER.range());
        }
    }
}
