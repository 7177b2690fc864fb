// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.actuator;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.framework.PoolCommand;
import io.flexpool.spi.Texts;
import io.flexpool.spring.FlexPools;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.util.MimeType;

/**
 * The actuator endpoint {@code flexpool}: the pools, their events, their limits, and a page that shows them. HTTP only:
 * for JMX flexpool has MBeans. Exposure, access and security are the actuator's; changes are refused unless {@code
 * management.endpoint.flexpool.access=unrestricted}. Thread-safe; reading borrows no connection.
 *
 * <table>
 * <caption>Paths below the endpoint's path</caption>
 * <tr><th>request</th><th>answer</th></tr>
 * <tr><td>{@code GET}</td><td>a summary of each pool</td></tr>
 * <tr><td>{@code GET ?pool=name}, or {@code /name}</td><td>one pool in full; 404 if there is none of that
 * name</td></tr>
 * <tr><td>the same with {@code decisions=1000}</td><td>with that many of its last decisions instead of 50</td></tr>
 * <tr><td>the same with {@code history=0}</td><td>with its last hour too, from that second since it was
 * wrapped</td></tr>
 * <tr><td>{@code POST} a pool, with {@code mode}; or with {@code base} or {@code ceiling}</td>
 * <td>the pool after the change; 400 for a value that is not allowed, 409 if the pool has no limits</td></tr>
 * <tr><td>{@code POST} a pool, with {@code action=pause}, {@code resume}, {@code evict} (with {@code reason}),
 * {@code warm-up} (with {@code connections} and {@code within}) or {@code drain} (with {@code within})</td>
 * <td>the {@code result} and the pool; 400 for a value that is not allowed. The response to a warm-up or drain arrives
 * at its end</td></tr>
 * <tr><td>{@code GET /ui}</td><td>the page</td></tr>
 * </table>
 *
 * <p>The path {@code /ui} always is the page: use {@code ?pool=} for a pool of that name, or for one whose name a path
 * cannot contain (a slash).
 */
// Not final: an application's aspects may proxy it.
@WebEndpoint(id = "flexpool", defaultAccess = Access.READ_ONLY)
public class FlexPoolEndpoint {
    /** The path of the page. */
    static final String PAGE = "ui";

    private static final MimeType HTML = MimeType.valueOf("text/html;charset=UTF-8");
    private static final int BAD_REQUEST = 400;
    private static final int CONFLICT = 409;

    private final FlexPools pools;
    private final InstantSource clock;
    /** The base address for the page's links; empty if not configured. */
    private final String documentation;

    /**
     * Creates an endpoint.
     *
     * @param pools the pools to show
     */
    public FlexPoolEndpoint(FlexPools pools) {
        this(pools, "");
    }

    FlexPoolEndpoint(FlexPools pools, String documentation) {
        this.pools = pools;
        this.clock = InstantSource.system();
        this.documentation = documentation;
    }

    /**
     * Returns the pools.
     *
     * @param pool the pool to show in full; null for a summary of all pools
     * @param decisions the number of last decisions to return; null for 50
     * @param history the second since its wrapping from which to return its history; null for none
     * @return status 400 for an invalid number, 404 if there is no such pool
     */
    @ReadOperation
    public WebEndpointResponse<Object> pools(
            @org.springframework.lang.Nullable @Nullable String pool,
            @org.springframework.lang.Nullable @Nullable String decisions,
            @org.springframework.lang.Nullable @Nullable String history) {
        if (pool != null) {
            return one(pool, decisions, history);
        }
        List<Map<String, Object>> all = new ArrayList<>();
        for (FlexPoolDataSource known : pools.byName().values()) {
            all.add(PoolDescription.inShort(known));
        }
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("timeEpochMillis", clock.millis());
        shown.put("pools", all);
        return answer(shown, WebEndpointResponse.STATUS_OK);
    }

    /**
     * Returns one pool, or the page.
     *
     * @param name the pool's name, or {@code ui}
     * @param decisions the number of last decisions to return; null for 50
     * @param history the second since its wrapping from which to return its history; null for none
     * @return status 400 for an invalid number, 404 if there is no such pool
     */
    @ReadOperation
    public WebEndpointResponse<Object> pool(
            @Selector String name,
            @org.springframework.lang.Nullable @Nullable String decisions,
            @org.springframework.lang.Nullable @Nullable String history) {
        return name.equals(PAGE) ? page() : one(name, decisions, history);
    }

    /**
     * Changes a pool's mode or limits until it is closed, or runs an operation on the whole pool.
     *
     * @param name the pool's name
     * @param mode {@code monitor}, {@code recommend} or {@code adapt}; null for no change
     * @param base the base, 1 to 10,000; null for no change
     * @param ceiling the ceiling, at least the base; null for no change
     * @param watchOnly refused: a former word for the mode {@code monitor}
     * @param action {@code pause}, {@code resume}, {@code evict}, {@code warm-up} or {@code drain}, without the
     *     parameters above; null for none
     * @param connections the number of connections of a warm-up; otherwise null
     * @param within the time limit of a warm-up or drain, for example {@code 30s}; otherwise null
     * @param reason the reason of an eviction; null for none
     * @return the pool after the change; 400 with the allowed values, 404 if there is no such pool, 409 if it has no
     *     limits
     */
    @WriteOperation
    public WebEndpointResponse<Object> change(
            @Selector String name,
            @org.springframework.lang.Nullable @Nullable String mode,
            @org.springframework.lang.Nullable @Nullable String base,
            @org.springframework.lang.Nullable @Nullable String ceiling,
            @org.springframework.lang.Nullable @Nullable String watchOnly,
            @org.springframework.lang.Nullable @Nullable String action,
            @org.springframework.lang.Nullable @Nullable String connections,
            @org.springframework.lang.Nullable @Nullable String within,
            @org.springframework.lang.Nullable @Nullable String reason) {
        FlexPoolDataSource known = pools.byName().get(name);
        if (known == null) {
            return unknown(name);
        }
        Map<String, Object> shown = new LinkedHashMap<>();
        try {
            refuseFormer(watchOnly);
            boolean nothingElse = mode == null && base == null && ceiling == null;
            if (action != null && nothingElse) {
                Object result =
                        PoolAction.of(action, connections, within, reason).apply(known);
                shown.put("changed", !Boolean.FALSE.equals(result));
                shown.put("result", result);
            } else {
                PoolAction.none(action, connections, within, reason);
                shown.put("changed", PoolCommand.of(mode, base, ceiling).apply(known));
            }
        } catch (IllegalArgumentException refused) {
            return error(refused, BAD_REQUEST);
        } catch (IllegalStateException unlimited) {
            return error(unlimited, CONFLICT);
        }
        shown.putAll(PoolDescription.inFull(known, clock.millis(), DecisionMaps.USUAL, null));
        return answer(shown, WebEndpointResponse.STATUS_OK);
    }

    private static void refuseFormer(@Nullable String watchOnly) {
        if (watchOnly != null) {
            throw new IllegalArgumentException(
                    "watchOnly: for true use mode = monitor, for false mode = recommend or adapt");
        }
    }

    /**
     * Changes a pool whose name a path cannot contain.
     *
     * @param pool its name
     * @param mode as for a path
     * @param base as for a path
     * @param ceiling as for a path
     * @param watchOnly as for a path
     * @param action as for a path
     * @param connections as for a path
     * @param within as for a path
     * @param reason as for a path
     * @return as for a path; 400 if no pool is named
     */
    @WriteOperation
    public WebEndpointResponse<Object> changeNamed(
            @org.springframework.lang.Nullable @Nullable String pool,
            @org.springframework.lang.Nullable @Nullable String mode,
            @org.springframework.lang.Nullable @Nullable String base,
            @org.springframework.lang.Nullable @Nullable String ceiling,
            @org.springframework.lang.Nullable @Nullable String watchOnly,
            @org.springframework.lang.Nullable @Nullable String action,
            @org.springframework.lang.Nullable @Nullable String connections,
            @org.springframework.lang.Nullable @Nullable String within,
            @org.springframework.lang.Nullable @Nullable String reason) {
        if (pool == null) {
            return error(new IllegalArgumentException("pool: must be given, in the path or as a value"), BAD_REQUEST);
        }
        return change(pool, mode, base, ceiling, watchOnly, action, connections, within, reason);
    }

    /** Created at the first request, because its parts and their hashes would slow every start. */
    private static final class Page {
        static final PoolPage MADE = PoolPage.load();
    }

    private WebEndpointResponse<Object> page() {
        PolicyHeader.put(Page.MADE.policy());
        return new WebEndpointResponse<>(Page.MADE.html(documentation), WebEndpointResponse.STATUS_OK, HTML);
    }

    private WebEndpointResponse<Object> one(String name, @Nullable String decisions, @Nullable String history) {
        FlexPoolDataSource known = pools.byName().get(name);
        if (known == null) {
            return unknown(name);
        }
        int asked;
        Duration since;
        try {
            asked = DecisionMaps.asked(decisions);
            since = HistoryMaps.asked(history);
        } catch (IllegalArgumentException refused) {
            return error(refused, BAD_REQUEST);
        }
        return answer(PoolDescription.inFull(known, clock.millis(), asked, since), WebEndpointResponse.STATUS_OK);
    }

    private WebEndpointResponse<Object> unknown(String name) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("error", "no pool '" + name + "'");
        shown.put("pools", List.copyOf(pools.byName().keySet()));
        return answer(shown, WebEndpointResponse.STATUS_NOT_FOUND);
    }

    private static WebEndpointResponse<Object> error(RuntimeException refused, int status) {
        String message = refused.getMessage();
        return answer(Map.of("error", Texts.line(message == null ? "refused" : message)), status);
    }

    /**
     * Creates a response, which the actuator's mapper writes: the application's mapper may rename or omit properties.
     */
    private static WebEndpointResponse<Object> answer(Map<String, Object> shown, int status) {
        return new WebEndpointResponse<>(OperationResponseBody.of(shown), status);
    }
}
