// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.context;

import io.flexpool.internal.shared.PlainText;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The owner of the requests that a thread makes: the thread itself, unless it carries an owner that changes threads, such as a coroutine. A
 * lease belongs to the owner, and so do the {@linkplain RequestScope scopes} that are opened for it.
 *
 * <p>An owner that is carried is stored where a thread's scopes are: one thread-local for both, which no thread reads
 * before there is one. The flag is plain, because the thread that carries an owner has set it itself: a request of any
 * other thread costs one plain read.
 */
public final class RequestOwner {
    private static final int LONGEST_NAME = 200;
    private static final ThreadLocal<@Nullable RequestOwner> HERE = new ThreadLocal<>();
    private static final AtomicInteger LAST = new AtomicInteger();
    /**
     * Whether a thread has ever carried one. Read before {@link #carried()} on the path of each request, as a field, so that a
     * request costs no call more where nothing is carried.
     */
    public static boolean inUse;

    /** 0 for what a thread has for itself. */
    private final int number;

    private volatile @Nullable String name;
    private volatile @Nullable RequestScope innermost;
    /** The thread that carries it now. */
    private final AtomicReference<@Nullable Thread> carrier = new AtomicReference<>();

    private RequestOwner(int number, @Nullable String name, @Nullable RequestScope innermost) {
        this.number = number;
        this.name = name;
        this.innermost = innermost;
    }

    /** A new owner, with the open scopes of the calling thread, or of the owner that it carries. */
    public static RequestOwner create(String name) {
        RequestOwner here = HERE.get();
        RequestOwner owner = new RequestOwner(number(LAST.incrementAndGet()), null, here == null ? null : here.scope());
        owner.name(name);
        return owner;
    }

    /** Another owner, with the scopes that are open for this one. */
    public RequestOwner child() {
        return new RequestOwner(number(LAST.incrementAndGet()), name, scope());
    }

    /** Never 0, and not negative, whatever overflows. */
    private static int number(int counted) {
        return (counted & (Integer.MAX_VALUE >> 1)) + 1;
    }

    /** Names it from now on. */
    public void name(String text) {
        name = PlainText.line(text, LONGEST_NAME);
    }

    /** The owner that the calling thread carries; null if it acts for itself. */
    public static @Nullable RequestOwner carried() {
        RequestOwner here = inUse ? HERE.get() : null;
        return here == null || here.number == 0 ? null : here;
    }

    /** The number by which leases name a thread, or the owner that it carries. */
    public static long idOf(Thread callingThread) {
        RequestOwner owner = carried();
        return owner == null ? callingThread.getId() : owner.id();
    }

    /** Has the calling thread act for this owner, until the result is run on the same thread. */
    public Runnable carry() {
        inUse = true;
        Thread thread = Thread.currentThread();
        RequestOwner before = HERE.get();
        HERE.set(this);
        carrier.set(thread);
        return () -> lay(thread, before);
    }

    private void lay(Thread thread, @Nullable RequestOwner before) {
        if (Thread.currentThread() != thread || HERE.get() != this) {
            return;
        }
        if (before == null) {
            HERE.remove();
        } else {
            HERE.set(before);
        }
        if (before != this) {
            // Another thread may carry it already: a coroutine goes on elsewhere before this thread has left it.
            carrier.compareAndSet(thread, null);
        }
    }

    /** Whether a thread carries it that has not ended. */
    public boolean isCarried() {
        Thread thread = carrier.get();
        return thread != null && thread.isAlive();
    }

    /** Identifies it among all owners, above 0. */
    public int number() {
        return number;
    }

    /** As a number of a thread would be; negative, which no thread's is. */
    public long id() {
        return -(long) number;
    }

    /** For people: the name and the number, and the thread that carries it. */
    public String describe() {
        Thread thread = carrier.get();
        return name + "#" + number + (thread == null ? "" : " on " + PlainText.line(thread.getName(), LONGEST_NAME));
    }

    // ---- scopes ----

    /** The innermost open scope of the calling thread, or of the owner that it carries. */
    static @Nullable RequestScope scopeHere() {
        RequestOwner here = HERE.get();
        RequestScope scope = here == null ? null : here.scope();
        if (here != null && scope == null && here.number == 0) {
            HERE.remove();
        }
        return scope;
    }

    /** Makes a scope the innermost one. */
    static void scopeHere(RequestScope scope) {
        RequestOwner here = HERE.get();
        if (here == null) {
            HERE.set(new RequestOwner(0, null, scope));
        } else {
            here.innermost = scope;
        }
    }

    private @Nullable RequestScope scope() {
        RequestScope seen = innermost;
        RequestScope open = seen == null ? null : seen.open();
        if (open != seen) {
            innermost = open;
        }
        return open;
    }
}
