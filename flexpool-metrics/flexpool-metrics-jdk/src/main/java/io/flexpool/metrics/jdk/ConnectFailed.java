// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import io.flexpool.event.PoolEvent;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** An attempt failed because of the database. Without a stack trace, because there can be very many. */
@Name(ConnectFailed.NAME)
@Label("Connect Failed")
@Description("The database could not be reached or refused a connection")
@StackTrace(false)
final class ConnectFailed extends StateEvent {
    static final String NAME = "flexpool.ConnectFailed";

    @Label("Waited")
    @Timespan
    final long waited;

    @Label("SQLState")
    final @Nullable String sqlState;

    @Label("Reason")
    final String reason;

    ConnectFailed(String pool, PoolEvent.ConnectFailed event) {
        super(pool, event.state());
        this.waited = event.duration().toNanos();
        this.sqlState = event.sqlState();
        this.reason = event.reason();
    }
}
