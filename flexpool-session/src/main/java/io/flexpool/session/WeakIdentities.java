// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A map with weak keys, compared by identity. Thread-safe; {@link #get} takes no lock. */
final class WeakIdentities<V> {
    private final Map<Key, V> values = new ConcurrentHashMap<>();
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

    /** The value of an object; null without one. */
    @Nullable
    V get(Object object) {
        return values.get(new Key(object, null));
    }

    void put(Object object, V value) {
        Reference<?> gone;
        while ((gone = collected.poll()) != null) {
            values.remove(gone);
        }
        values.put(new Key(object, collected), value);
    }
}
