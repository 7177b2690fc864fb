// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Which data sources are wrapped now, by identity: two gates in front of one pool would each allow all of it. */
public final class WrappedPools {
    private static final ConcurrentHashMap<Key, String> NAMES = new ConcurrentHashMap<>();
    private static final ReferenceQueue<DataSource> COLLECTED = new ReferenceQueue<>();

    private static final class Key extends WeakReference<DataSource> {
        private final int hash;

        Key(DataSource dataSource, @Nullable ReferenceQueue<DataSource> queue) {
            super(dataSource, queue);
            this.hash = System.identityHashCode(dataSource);
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

    private WrappedPools() {}

    /**
     * Notes that a data source is wrapped.
     *
     * @param dataSource by identity; held weakly
     * @param name the pool's name
     * @return null, or the name under which it is wrapped already
     */
    public static @Nullable String add(DataSource dataSource, String name) {
        for (Object gone; (gone = COLLECTED.poll()) != null; ) {
            NAMES.remove(gone);
        }
        return NAMES.putIfAbsent(new Key(dataSource, COLLECTED), name);
    }

    /**
     * The data source may be wrapped again.
     *
     * @param dataSource by identity
     */
    public static void remove(DataSource dataSource) {
        NAMES.remove(new Key(dataSource, null));
    }
}
