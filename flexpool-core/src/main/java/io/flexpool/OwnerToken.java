// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import io.flexpool.internal.context.RequestOwner;
import java.util.Objects;

/**
 * Identifies the owner of leases instead of a thread, for code that changes threads while it holds connections:
 * coroutines, fibers, pipelines of callbacks. While a thread carries a token, the connections that the thread acquires
 * belong to the token: a second request is nested if the token holds a connection, acquired on any thread, and
 * {@link PoolScope}s that are open for the token apply on each thread that carries the token.
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

    /** {@return another token of the same name, which inherits the open scopes of this token, and owns no lease} */
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
     * @return a scope whose close detaches the token, on any thread and in any order: the thread then carries the
     *     innermost token that is still attached, or none
     */
    public PoolScope.Opened makeCurrent() {
        Runnable end = owner.makeCurrent();
        return end::run;
    }

    /**
     * The number of the token in {@link io.flexpool.diagnostics.OpenLease#threadId()}.
     *
     * @return a number below 0; threads have positive numbers
     */
    public long id() {
        return owner.id();
    }

    /** {@return the number of the owner of leases of the calling thread: of its token, otherwise of the thread} */
    public static long currentId() {
        return RequestOwner.idOf(Thread.currentThread());
    }

    @Override
    public String toString() {
        return owner.describe();
    }
}
