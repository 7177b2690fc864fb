// SPDX-License-Identifier: Apache-2.0
package io.flexpool.dropwizard;

import io.dropwizard.servlets.tasks.Task;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.framework.PoolCommand;
import io.flexpool.pool.PoolPhase;
import io.flexpool.spi.Texts;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The admin task {@code flexpool}: {@code POST /tasks/flexpool} lists the pools; with {@code pool} it prints the report of one;
 * with {@code mode}, or with {@code base} or {@code ceiling}, it changes one until it is closed. Thread-safe.
 */
final class PoolTask extends Task {
    private static final String POOL = "pool";
    private static final String MODE = "mode";
    private static final String BASE = "base";
    private static final String CEILING = "ceiling";
    private static final List<String> PARAMETERS = List.of(POOL, MODE, BASE, CEILING);

    private final ApplicationPools pools;

    /** A refused parameter. Not passed on, because Dropwizard would print a stack trace. */
    private static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        Refused(String message) {
            super(message, null, false, false);
        }
    }

    PoolTask(ApplicationPools pools) {
        super(FlexPoolBundle.NAME, "text/plain;charset=UTF-8");
        this.pools = pools;
    }

    @Override
    public void execute(Map<String, List<String>> parameters, PrintWriter output) throws Refused {
        for (Map.Entry<String, List<String>> given : parameters.entrySet()) {
            check(given.getKey(), given.getValue());
        }
        String name = value(parameters, POOL);
        String mode = value(parameters, MODE);
        String base = value(parameters, BASE);
        String ceiling = value(parameters, CEILING);
        if (mode != null || base != null || ceiling != null) {
            change(pool(name), mode, base, ceiling, output);
        } else if (name != null) {
            output.print(pool(name).report());
        } else {
            pools.wrapped().byName().values().forEach(pool -> output.println(line(pool)));
        }
    }

    private static void check(String key, List<String> values) throws Refused {
        if (!PARAMETERS.contains(key)) {
            String nearest = Texts.nearest(key, PARAMETERS);
            throw new Refused(Texts.line(key, 100) + ": no such parameter; the parameters are "
                    + String.join(", ", PARAMETERS) + (Texts.alike(key, nearest) ? "; the nearest is " + nearest : ""));
        }
        if (values.size() != 1) {
            throw new Refused(key + ": must be given once");
        }
    }

    private static @Nullable String value(Map<String, List<String>> parameters, String key) {
        List<String> values = parameters.get(key);
        return values == null ? null : values.get(0);
    }

    /** Finds a pool; without a name, the only pool. */
    private FlexPoolDataSource pool(@Nullable String name) throws Refused {
        Map<String, FlexPoolDataSource> open = pools.wrapped().byName();
        FlexPoolDataSource pool = name != null
                ? open.get(name)
                : open.size() == 1 ? open.values().iterator().next() : null;
        if (pool == null) {
            throw new Refused(POOL + " = " + (name == null ? "none" : Texts.line(name, 100)) + ": must be one of "
                    + String.join(", ", open.keySet()));
        }
        return pool;
    }

    private static void change(
            FlexPoolDataSource pool,
            @Nullable String mode,
            @Nullable String base,
            @Nullable String ceiling,
            PrintWriter output)
            throws Refused {
        boolean changed;
        try {
            changed = PoolCommand.of(mode, base, ceiling).apply(pool);
        } catch (IllegalArgumentException | IllegalStateException refused) {
            throw new Refused(String.valueOf(refused.getMessage()));
        }
        output.println((changed ? "changed: " : "unchanged: ") + line(pool));
    }

    private static String line(FlexPoolDataSource pool) {
        String phase = pool.phase() == PoolPhase.OPEN ? "" : ", " + pool.phase().toString();
        return pool.name() + " (" + pool.type() + "), mode " + pool.mode().toString() + phase + ": "
                + pool.state().describe();
    }
}
