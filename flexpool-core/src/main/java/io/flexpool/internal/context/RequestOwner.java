// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.context;

import io.flexpool.internal.shared.PlainText;
import java.lang.ref.WeakReference;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The owner of a thread's requests: the thread, unless it carries an owner that changes threads, such as a coroutine. A
 * lease belongs to the owner, and so do the {@linkplain RequestScope scopes} that are opened for it.
 *
 * <p>A thread-local has a thread's carried owner and scopes. A plain flag shows whether any thread has used it: a
 * thread that carries an owner has set the flag itself. So most requests cost one plain read.
 */
public final class RequestOwner {
    private static final int LONGEST_NAME = 200;
    /**
     * Weak, so that a server's thread does not keep the class loader of an application that did not close a scope or an
     * owner, or closed it on another thread. {@link Here#USED} keeps the value as long as it is needed.
     */
    private static final ThreadLocal<@Nullable WeakReference<Here>> HERE = new ThreadLocal<>();

    private static final AtomicInteger LAST = new AtomicInteger();
    /**
     * Whether a thread has ever carried an owner. Read before {@link #current()} on the path of each request, as a
     * field, so that a request without an owner costs no further call.
     */
    public static boolean everUsed;

    /** 0 for a thread itself. */
    private final int number;

    private volatile @Nullable String name;
    private volatile @Nullable RequestScope innermost;
    /** The data of the thread that carries this owner now. */
    private final AtomicReference<@Nullable Here> carrier = new AtomicReference<>();

    private RequestOwner(int number, @Nullable String name, @Nullable RequestScope innermost) {
        this.number = number;
        this.name = name;
        this.innermost = innermost;
    }

    /** A new owner, with the open scopes of the calling thread, or of the owner that it carries. */
    public static RequestOwner create(String name) {
        RequestOwner owner = new RequestOwner(number(LAST.incrementAndGet()), null, currentScope());
        owner.name(name);
        return owner;
    }

    /** Another owner, with the open scopes of this owner. */
    public RequestOwner child() {
        return new RequestOwner(number(LAST.incrementAndGet()), name, scope());
    }

    /** Above 0, even after an overflow. */
    private static int number(int counted) {
        return (counted & (Integer.MAX_VALUE >> 1)) + 1;
    }

    public void name(String text) {
        name = PlainText.line(text, LONGEST_NAME);
    }

    /** The owner that the calling thread carries; null if it acts for itself. */
    public static @Nullable RequestOwner current() {
        Here here = everUsed ? here() : null;
        return here == null ? null : here.carried();
    }

    /** The number by which leases name a thread, or the owner that it carries. */
    public static long idOf(Thread callingThread) {
        RequestOwner owner = current();
        return owner == null ? callingThread.getId() : owner.id();
    }

    /** Makes the calling thread act for this owner, until the result is run, on any thread. */
    public Runnable makeCurrent() {
        everUsed = true;
        Here here = Here.used();
        Carriage carriage = new Carriage(this, here, StackEntry.firstOpen(here.innermost));
        here.innermost = carriage;
        carrier.set(here);
        return carriage;
    }

    /** Whether a live thread carries the owner. Checks all carriers: two may carry the same owner for a while. */
    public boolean isCarried() {
        for (Here here : Here.USED) {
            if (here.isAlive() && here.carries(this)) {
                return true;
            }
        }
        return false;
    }

    /** The number of this owner among all owners, above 0. */
    public int number() {
        return number;
    }

    /** The owner's id in place of a thread's: negative, unlike any thread's. */
    public long id() {
        return -(long) number;
    }

    /** The owner in words: its name and number, and the thread that carries it. */
    public String describe() {
        Here here = carrier.get();
        Thread thread = here == null ? null : here.thread.get();
        return name + "#" + number + (thread == null ? "" : " on " + PlainText.line(thread.getName(), LONGEST_NAME));
    }

    // ---- the owners of threads ----

    private static @Nullable Here here() {
        WeakReference<Here> reference = HERE.get();
        return reference == null ? null : reference.get();
    }

    /** The owners and scopes of one thread. Only its own thread changes it; any thread may end an entry. */
    private static final class Here {
        /** All instances with an open entry; instances of ended threads stay until the next count. */
        private static final Set<Here> USED = ConcurrentHashMap.newKeySet();

        private static final int COUNTED_AT_LEAST = 64;
        private static volatile int countedAt = COUNTED_AT_LEAST;

        /** Weak, because the set must not keep a thread. */
        final WeakReference<Thread> thread = new WeakReference<>(Thread.currentThread());

        /** The thread itself as an owner, with its scopes. */
        final RequestOwner own = new RequestOwner(0, null, null);

        volatile @Nullable Carriage innermost;
        /** Whether this instance is in the set. */
        private boolean used;

        /** The calling thread's instance, stored from now on. */
        static Here used() {
            Here here = here();
            if (here == null) {
                here = new Here();
                HERE.set(new WeakReference<>(here));
            }
            if (!here.used) {
                here.used = true;
                USED.add(here);
                if (USED.size() > countedAt) {
                    USED.removeIf(one -> !one.isAlive());
                    countedAt = Math.max(COUNTED_AT_LEAST, 2 * USED.size());
                }
            }
            return here;
        }

        boolean isAlive() {
            Thread its = thread.get();
            return its != null && its.isAlive();
        }

        @Nullable
        RequestOwner carried() {
            Carriage last = innermost;
            Carriage open = last == null ? null : StackEntry.firstOpen(last);
            if (open != last) {
                innermost = open;
            }
            return open == null ? null : open.owner;
        }

        /** Whether the thread carries an owner, perhaps behind another owner. */
        boolean carries(RequestOwner owner) {
            for (Carriage each = innermost; each != null; each = each.outer()) {
                if (each.owner == owner && !each.ended()) {
                    return true;
                }
            }
            return false;
        }

        /** The owner of the thread's requests: the carried owner, or the thread itself. */
        RequestOwner owner() {
            RequestOwner carried = carried();
            return carried == null ? own : carried;
        }

        /** Removes the instance if no entry is open. Called on its own thread. */
        void forgetIfEmpty() {
            if (used && carried() == null && own.scope() == null) {
                used = false;
                USED.remove(this);
            }
        }
    }

    /** A period in which a thread carries an owner. */
    private static final class Carriage extends StackEntry<Carriage> implements Runnable {
        final RequestOwner owner;
        private final Here here;

        Carriage(RequestOwner owner, Here here, @Nullable Carriage outer) {
            super(outer);
            this.owner = owner;
            this.here = here;
        }

        @Override
        public void run() {
            end();
            StackEntry.dropEnded(here.innermost);
            // Another thread may carry the owner already: a coroutine may continue before this thread has left it.
            if (!here.carries(owner) && owner.carrier.compareAndSet(here, null) && here.carries(owner)) {
                // The thread has carried the owner again meanwhile.
                owner.carrier.compareAndSet(null, here);
            }
            if (here.thread.get() == Thread.currentThread()) {
                here.forgetIfEmpty();
            }
        }
    }

    // ---- scopes ----

    /** The innermost open scope of the calling thread, or of the owner that it carries. */
    static @Nullable RequestScope currentScope() {
        Here here = here();
        if (here == null) {
            return null;
        }
        RequestScope scope = here.owner().scope();
        if (scope == null) {
            here.forgetIfEmpty();
        }
        return scope;
    }

    static void currentScope(RequestScope scope) {
        Here.used().owner().innermost = scope;
    }

    private @Nullable RequestScope scope() {
        RequestScope seen = innermost;
        RequestScope open = StackEntry.firstOpen(seen);
        if (open != seen) {
            innermost = open;
        }
        return open;
    }
}
