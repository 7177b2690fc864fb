// SPDX-License-Identifier: Apache-2.0
package io.flexpool.micronaut;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.framework.WrappedPools;
import io.flexpool.monitoring.PoolChange;
import io.flexpool.spi.Texts;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.management.endpoint.annotation.Endpoint;
import io.micronaut.management.endpoint.annotation.Read;
import io.micronaut.management.endpoint.annotation.Selector;
import io.micronaut.management.endpoint.annotation.Sensitive;
import io.micronaut.management.endpoint.annotation.Write;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The management endpoint {@code flexpool}: the pools, and changes of their mode and limits. Sensitive, as all of Micronaut's are
 * that show more than the application's name; {@code endpoints.flexpool.sensitive=false} opens reading, {@code
 * endpoints.flexpool.write-sensitive=false} changes. Thread-safe; reading borrows no connection.
 */
@Endpoint(id = FlexPoolEndpoint.ID, defaultSensitive = true)
@Requires(classes = Endpoint.class)
final class FlexPoolEndpoint {
    static final String ID = "flexpool";

    private final WrappedPools pools;

    FlexPoolEndpoint(WrappedPools pools) {
        this.pools = pools;
    }

    /** All pools in short. */
    @Read
    Map<String, Object> pools() {
        List<Map<String, Object>> all =
                pools.byName().values().stream().map(PoolMaps::inShort).toList();
        return Map.of("pools", all);
    }

    /** One pool with its report; 404 if there is none of that name. */
    @Read
    HttpResponse<Map<String, Object>> pool(@Selector String name) {
        FlexPoolDataSource pool = pools.byName().get(name);
        return pool == null ? unknown(name) : HttpResponse.ok(PoolMaps.inFull(pool));
    }

    /**
     * Changes a pool's mode or its limits until it is closed: 400 with what is allowed, 409 if it has no limits.
     *
     * @param mode {@code monitor}, {@code recommend} or {@code adapt}
     * @param base 1 to 10,000
     * @param ceiling at least the base
     */
    @Write
    @Sensitive(property = "write-sensitive")
    HttpResponse<Map<String, Object>> change(
            @Selector String name,
            @io.micronaut.core.annotation.Nullable @Nullable String mode,
            @io.micronaut.core.annotation.Nullable @Nullable String base,
            @io.micronaut.core.annotation.Nullable @Nullable String ceiling) {
        FlexPoolDataSource pool = pools.byName().get(name);
        if (pool == null) {
            return unknown(name);
        }
        boolean changed;
        try {
            changed = PoolChange.of(mode, base, ceiling).apply(pool);
        } catch (IllegalArgumentException refused) {
            return error(HttpStatus.BAD_REQUEST, refused);
        } catch (IllegalStateException unlimited) {
            return error(HttpStatus.CONFLICT, unlimited);
        }
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("changed", changed);
        shown.putAll(PoolMaps.inShort(pool));
        return HttpResponse.ok(shown);
    }

    private static HttpResponse<Map<String, Object>> error(HttpStatus status, RuntimeException refused) {
        return HttpResponse.<Map<String, Object>>status(status)
                .body(Map.of("error", String.valueOf(refused.getMessage())));
    }

    private HttpResponse<Map<String, Object>> unknown(String name) {
        return HttpResponse.<Map<String, Object>>status(HttpStatus.NOT_FOUND)
                .body(Map.of(
                        "error",
                        "no pool '" + Texts.line(name, 100) + "'",
                        "pools",
                        List.copyOf(pools.byName().keySet())));
    }
}
