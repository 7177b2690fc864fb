// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import io.flexpool.event.PoolEvent;
import java.util.Locale;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The lease limit changed. */
@Name(PoolResized.NAME)
@Label("Pool Resized")
@Description("The lease limit changed; the other fields show the state just before")
@StackTrace(false)
final class PoolResized extends StateEvent {
    static final String NAME = "flexpool.PoolResized";

    @Label("From")
    final int from;

    @Label("To")
    final int to;

    @Label("Cause")
    @Description("DEMAND, CALM (low load), CONNECT_FAILURE, MANUAL, SIZING, or the name of a part")
    final String cause;

    PoolResized(String pool, PoolEvent.Resized event) {
        super(pool, event.state());
        this.from = event.from();
        this.to = event.to();
        this.cause = event.causeWord().replace('-', '_').toUpperCase(Locale.ROOT);
    }
}
