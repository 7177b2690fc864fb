// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A set of objects by identity, which keeps none of them alive. Thread-safe; a look-up takes no lock. */
final class WeakIdentities {
    private final Set<Key> keys = ConcurrentHashMap.newKeySet();
    private final ReferenceQueue<Object> collected = new ReferenceQueue<>();

    private static final class Key extends WeakReference<Object> {
        private final int hash;

        Key(Object object, @Nullable ReferenceQueue<Object> queue) {
            super(object, queue);
            this.hash = System.identityHashCode(object);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            if (this == other) {
                return true;
            }
            Object own = get();
            return own != null && other instanceof Key key && key.refersTo(own);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    boolean contains(Object object) {
        return keys.contains(new Key(object, null));
    }

    void add(Object object) {
        Reference<?> gone;
        while ((gone = collected.poll()) != null) {
            keys.remove(gone);
        }
        keys.add(new Key(object, collected));
    }

    void remove(Object object) {
        keys.remove(new Key(object, null));
    }
}
