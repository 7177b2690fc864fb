// SPDX-License-Identifier: Apache-2.0
package io.flexpool.kotlin;

import io.flexpool.OwnerToken;
import io.flexpool.PoolScope;
import kotlin.coroutines.AbstractCoroutineContextElement;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.CopyableThreadContextElement;
import kotlinx.coroutines.CoroutineName;

/**
 * The element of a coroutine's context that makes the coroutine the owner of the connections that it takes, in place of the
 * thread that it happens to run on:
 *
 * <pre>{@code
 * val scope = CoroutineScope(Dispatchers.IO + CoroutineOwner())
 * scope.launch { … }
 * }</pre>
 *
 * <p>Without it a coroutine that suspends with a connection leaves its lease to a thread that goes on with other
 * coroutines: their requests then look nested, and its own second request on another thread does not.
 *
 * <p>Each coroutine that is started with it, or by one that has it ({@code launch}, {@code async}), is an owner of its own,
 * as each thread is. {@code withContext} and {@code coroutineScope} stay the same coroutine. One given to {@code
 * withContext} starts a new owner. A {@link PoolScope} that a coroutine opens holds on each thread that it goes on, and for
 * the coroutines that it starts meanwhile, until it is closed; so does one that is open where this is constructed. Leases
 * show the coroutine's name, if it has one, and a number: {@code checkout#17}.
 *
 * <p>Thread-safe.
 */
public final class CoroutineOwner extends AbstractCoroutineContextElement
        implements CopyableThreadContextElement<PoolScope.Opened> {
    /** The element's key: {@code coroutineContext[CoroutineOwner.KEY]}. */
    public static final CoroutineContext.Key<CoroutineOwner> KEY = new CoroutineContext.Key<>() {};

    private static final String UNNAMED = "coroutine";

    private final OwnerToken token;
    /** Only ever set by the one coroutine whose element this is. */
    private boolean named;

    /** An owner for the coroutine that is started with it, with the scopes that are open on the calling thread. */
    public CoroutineOwner() {
        this(OwnerToken.create(UNNAMED));
    }

    private CoroutineOwner(OwnerToken token) {
        super(KEY);
        this.token = token;
    }

    /** Called by the coroutine machinery before a thread goes on with the coroutine. */
    @Override
    public PoolScope.Opened updateThreadContext(CoroutineContext context) {
        if (!named) {
            named = true;
            CoroutineName name = context.get(CoroutineName.Key);
            token.name(name == null ? UNNAMED : name.getName());
        }
        return token.carry();
    }

    /** Called by the coroutine machinery when a thread leaves the coroutine. */
    @Override
    public void restoreThreadContext(CoroutineContext context, PoolScope.Opened carried) {
        carried.close();
    }

    /** {@return the element of a coroutine that this one's starts} */
    @Override
    public CoroutineOwner copyForChild() {
        return new CoroutineOwner(token.child());
    }

    /** {@return the element of a coroutine to which another one is given} */
    @Override
    public CoroutineContext mergeForChild(CoroutineContext.Element overwritingElement) {
        return ((CoroutineOwner) overwritingElement).copyForChild();
    }

    @Override
    public String toString() {
        return "CoroutineOwner(" + token + ")";
    }
}
