// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts the callbacks of a connection. */
public final class CountedLease implements LeaseOwner {
    final List<Long> ended = new ArrayList<>();
    final List<Connection> discarded = new ArrayList<>();
    /** The statements of the calls into the database that were reported. */
    final List<@Nullable String> entered = new ArrayList<>();

    int left;

    @Override
    public void ended(long acquiredNanos, int place, boolean reclaimed) {
        ended.add(acquiredNanos);
    }

    @Override
    public void entered(int place, @Nullable String sql) {
        entered.add(sql);
    }

    @Override
    public void left(int place, boolean statement) {
        left++;
    }

    @Override
    public void discard(Connection target) {
        discarded.add(target);
    }
}
