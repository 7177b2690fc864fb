// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A set of data sources, by identity, with weak references, because the end of prototypes is not signalled.
 * Thread-safe.
 */
final class KnownSources {
    private final Set<Key> keys = ConcurrentHashMap.newKeySet();
    private final ReferenceQueue<DataSource> collected = new ReferenceQueue<>();

    private static final class Key extends WeakReference<DataSource> {
        private final int hash;

        Key(DataSource source, @Nullable ReferenceQueue<DataSource> queue) {
            super(source, queue);
            this.hash = System.identityHashCode(source);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            if (this == other) {
                return true;
            }
            DataSource mine = get();
            return other instanceof Key key && mine != null && key.get() == mine;
        }
    }

    void add(DataSource source) {
        for (Object gone; (gone = collected.poll()) != null; ) {
            keys.remove(gone);
        }
        keys.add(new Key(source, collected));
    }

    boolean contains(DataSource source) {
        return keys.contains(new Key(source, null));
    }
}
