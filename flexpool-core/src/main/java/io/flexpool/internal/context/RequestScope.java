// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.context;

import org.jspecify.annotations.Nullable;

/**
 * The class, the tenant and the deadline that code sets for a thread's requests while the scope is open. The innermost
 * open scope of a thread, or of the {@linkplain RequestOwner owner} that it carries, applies. Other attributes are
 * inherited from the enclosing scope. Opened and read by the threads of one owner, one after another; closed by any.
 */
public final class RequestScope extends StackEntry<RequestScope> {
    /** A deadline that never passes. */
    public static final long NEVER = Long.MAX_VALUE;

    /** Whether a scope was ever opened; until then threads do not search for a scope. */
    private static volatile boolean used;
    /** Whether any scope named a tenant. */
    private static volatile boolean tenants;

    private final @Nullable String requestClass;
    private final @Nullable String tenant;
    private final long endNanos;

    private RequestScope(
            @Nullable RequestScope outer, @Nullable String requestClass, @Nullable String tenant, long endNanos) {
        super(outer);
        this.requestClass = requestClass;
        this.tenant = tenant;
        this.endNanos = endNanos;
    }

    /**
     * Opens a scope on the calling thread.
     *
     * @param requestClass the class of the requests; null to keep the outer scope's
     * @param tenant the tenant of the requests; null to keep the outer scope's
     * @param nanos the time from now for which all requests together may wait; {@link Long#MAX_VALUE} for any time
     */
    public static RequestScope open(@Nullable String requestClass, @Nullable String tenant, long nanos) {
        // Read before it is written: a store for each scope would invalidate the cache line of all other processors.
        if (!used) {
            used = true;
        }
        if (tenant != null && !tenants) {
            tenants = true;
        }
        RequestScope outer = RequestOwner.currentScope();
        long end = nanos == NEVER ? NEVER : System.nanoTime() + nanos;
        String its = requestClass != null || outer == null ? requestClass : outer.requestClass;
        String whose = tenant != null || outer == null ? tenant : outer.tenant;
        RequestScope scope = new RequestScope(outer, its, whose, outer == null ? end : earlier(end, outer.endNanos));
        RequestOwner.currentScope(scope);
        return scope;
    }

    /** The earlier of two times. The clock's origin is arbitrary, so times compare by difference, except NEVER. */
    public static long earlier(long one, long other) {
        return one == NEVER || (other != NEVER && other - one < 0) ? other : one;
    }

    /** Ends the scope; then the enclosing scope applies. A second call has no effect. */
    public void close() {
        end();
        dropEnded(RequestOwner.currentScope());
    }

    /** The class of the calling thread's scope; null without one. */
    static @Nullable String currentClass() {
        RequestScope scope = used ? RequestOwner.currentScope() : null;
        return scope == null ? null : scope.requestClass;
    }

    /** The tenant of the calling thread's scope; null without one. */
    static @Nullable String currentTenant() {
        RequestScope scope = tenants ? RequestOwner.currentScope() : null;
        return scope == null ? null : scope.tenant;
    }

    /** How long the calling thread's requests may still wait; {@link Long#MAX_VALUE} without limit, below 1 if over. */
    public static long currentNanosLeft() {
        RequestScope scope = used ? RequestOwner.currentScope() : null;
        return scope == null || scope.endNanos == NEVER ? NEVER : scope.endNanos - System.nanoTime();
    }
}
