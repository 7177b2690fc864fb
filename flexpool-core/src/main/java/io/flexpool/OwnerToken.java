// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import io.flexpool.internal.context.RequestOwner;
import java.util.Objects;

/**
 * Identifies the owner of leases instead of a thread, for code that changes threads while it holds connections:
 * coroutines, fibers, pipelines of callbacks. While a thread carries a token, the connections that it takes belong to
 * the token: a second request is nested if the same token holds a connection, on whatever thread it took it, and
 * {@link PoolScope}s that are open for the token apply on each thread that carries it.
 *
 * <pre>{@code
 * OwnerToken token = OwnerToken.create("checkout");
 * …
 * try (var carried = token.makeCurrent()) {   // on each thread that continues the work
 *     …
 * }
 * }</pre>
 *
 * <p>One thread at a time carries a token. Without a token the thread itself is the owner. Thread-safe.
 */
public final class OwnerToken {
    private final RequestOwner owner;

    private OwnerToken(RequestOwner owner) {
        this.owner = owner;
    }

    /**
     * Creates a token that inherits the open scopes of the calling thread.
     *
     * @param name shown for its leases, with a number: {@code checkout#17}
     * @return a token that no thread carries yet
     */
    public static OwnerToken create(String name) {
        return new OwnerToken(RequestOwner.create(Objects.requireNonNull(name, "name is null")));
    }

    /** {@return another token of the same name, which inherits the scopes that are open for this one; it owns no lease} */
    public OwnerToken child() {
        return new OwnerToken(owner.child());
    }

    /**
     * Renames the token.
     *
     * @param name as in {@link #create}
     */
    public void name(String name) {
        owner.name(Objects.requireNonNull(name, "name is null"));
    }

    /**
     * Attaches the token to the calling thread, in place of its current token.
     *
     * @return detaches the token when closed, on any thread and in any order: the thread then carries the innermost
     *     token that is still attached, or none
     */
    public PoolScope.Opened makeCurrent() {
        Runnable end = owner.makeCurrent();
        return end::run;
    }

    /**
     * The number by which {@link io.flexpool.diagnostics.OpenLease#threadId()} names it.
     *
     * @return below 0, which no thread's number is
     */
    public long id() {
        return owner.id();
    }

    /** {@return the number by which a lease names its owner if the calling thread takes it: its token's, else its own} */
    public static long currentId() {
        return RequestOwner.idOf(Thread.currentThread());
    }

    @Override
    public String toString() {
        return owner.describe();
    }
}
