// SPDX-License-Identifier: Apache-2.0
package io.flexpool.micronaut;

import io.flexpool.framework.PoolEndpoint;
import io.flexpool.framework.WrappedPools;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.management.endpoint.annotation.Endpoint;
import io.micronaut.management.endpoint.annotation.Read;
import io.micronaut.management.endpoint.annotation.Selector;
import io.micronaut.management.endpoint.annotation.Sensitive;
import io.micronaut.management.endpoint.annotation.Write;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The management endpoint {@code flexpool}, which shows the pools and changes their mode and limits. Sensitive, like
 * all endpoints of Micronaut that show more than the application's name. {@code endpoints.flexpool.sensitive=false}
 * allows reading, {@code endpoints.flexpool.write-sensitive=false} allows changes. Thread-safe; reading borrows no
 * connection.
 */
@Endpoint(id = FlexPoolEndpoint.ID, defaultSensitive = true)
@Requires(classes = Endpoint.class)
final class FlexPoolEndpoint {
    static final String ID = "flexpool";

    private final PoolEndpoint endpoint;

    FlexPoolEndpoint(WrappedPools pools) {
        this.endpoint = new PoolEndpoint(pools);
    }

    /** A summary of all pools. */
    @Read
    Map<String, Object> pools() {
        return endpoint.all();
    }

    /** A pool with its report; 404 without a pool of that name. */
    @Read
    HttpResponse<Map<String, Object>> pool(@Selector String name) {
        return response(endpoint.one(name));
    }

    /**
     * Changes a pool's mode or its limits until it is closed: 400 with the allowed values, 409 if it has no limits.
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
        return response(endpoint.change(name, mode, base, ceiling));
    }

    private static HttpResponse<Map<String, Object>> response(PoolEndpoint.Answer answer) {
        return HttpResponse.<Map<String, Object>>status(HttpStatus.valueOf(answer.status()))
                .body(answer.body());
    }
}
