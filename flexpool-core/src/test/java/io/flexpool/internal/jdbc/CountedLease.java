// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;

/** Counts the callbacks of a connection. */
public final class CountedLease implements LeaseOwner {
    final List<Long> ended = new ArrayList<>();
    final List<Connection> discarded = new ArrayList<>();

    @Override
    public void ended(long acquiredNanos, int place, boolean reclaimed) {
        ended.add(acquiredNanos);
    }

    @Override
    public void discard(Connection target) {
        discarded.add(target);
    }
}
