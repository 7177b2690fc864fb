// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.internal.config.Settings;
import io.flexpool.internal.failure.FailureHandler;
import io.flexpool.internal.gate.Circuit;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.record.StatisticsHistory;
import io.flexpool.internal.resize.Limiter;
import io.flexpool.internal.resize.StartAlignment;
import java.util.function.Consumer;

/** What a request needs that is not answered at once, of a fake pool. Time is the test's. */
final class SlowParts {
    final TestContext part;
    final FailureHandler failures;
    final Circuit circuit;
    final StatisticsHistory history;
    final LeaseTracker leases;
    final AcquiringPool pool;
    final SlowPath parts;

    SlowParts(Consumer<Settings> set) {
        part = new TestContext(set);
        leases = new LeaseTracker(part.context, 10);
        Limiter limiter = Limiter.of(part.context);
        PoolWatch watch = new PoolWatch(part.context, limiter, leases);
        history = watch.parts().history();
        failures = watch.parts().failures();
        circuit = failures.circuit();
        ConnectionSource source = new ConnectionSource(part.context);
        LeaseNotices notices = new LeaseNotices(part.context);
        parts = new SlowPath(
                part.context,
                Admission.of(part.context, leases, notices, source),
                source,
                watch,
                limiter,
                new StartAlignment(part.context, limiter),
                new PoolLifecycle(part.context, limiter, leases, new PoolParts(part.context)));
        pool = new AcquiringPool(leases, notices, new ConnectionReturn(part.context, leases), parts);
    }

    long now() {
        return part.ticker.nanos();
    }

    Consultation consultation() {
        return new SlowRequest(parts, now()).strategies;
    }

    RequestAttempts request() {
        return new RequestAttempts(pool, parts, parts.source().plain, now());
    }
}
