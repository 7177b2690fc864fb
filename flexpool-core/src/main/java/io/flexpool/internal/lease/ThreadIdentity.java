// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

import io.flexpool.internal.context.RequestOwner;
import io.flexpool.internal.shared.PlainText;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * A thread's identity without the thread, so that an ended thread and its class loaders are not retained.
 *
 * @param name its name, {@linkplain PlainText plain} and bounded, because servers put client input into it;
 *     {@code virtual-} and the id for an unnamed virtual thread; for a carried owner, the owner's name
 * @param id its id; below 0 for an owner
 */
public record ThreadIdentity(String name, long id, boolean virtual) {
    private static final int LONGEST_NAME = 200;

    /** {@code Thread.isVirtual()} of JDK 21; null before. */
    private static final @Nullable Method IS_VIRTUAL = isVirtualMethod();

    private static @Nullable Method isVirtualMethod() {
        try {
            return Thread.class.getMethod("isVirtual");
        } catch (NoSuchMethodException before21) {
            return null;
        }
    }

    public static ThreadIdentity of(Thread thread) {
        boolean virtual = isVirtual(thread);
        String name = PlainText.line(thread.getName(), LONGEST_NAME);
        return new ThreadIdentity(
                virtual && name.isEmpty() ? "virtual-" + thread.getId() : name, thread.getId(), virtual);
    }

    /** The identity of the calling thread, or of the owner that it carries. */
    public static ThreadIdentity here() {
        RequestOwner carried = RequestOwner.current();
        return carried == null ? of(Thread.currentThread()) : of(carried);
    }

    static ThreadIdentity of(RequestOwner owner) {
        return new ThreadIdentity(owner.describe(), owner.id(), false);
    }

    private static boolean isVirtual(Thread thread) {
        try {
            return IS_VIRTUAL != null && (boolean) IS_VIRTUAL.invoke(thread);
        } catch (ReflectiveOperationException cannotBe) {
            return false;
        }
    }
}
