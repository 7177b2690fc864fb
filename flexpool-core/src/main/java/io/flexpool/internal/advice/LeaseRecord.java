// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.advice;

import io.flexpool.advice.LeaseSink;
import io.flexpool.advice.RecordRequest;
import io.flexpool.advice.RecorderProvider;
import io.flexpool.internal.config.ClassRule;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.CoreKey.RecordUse;
import io.flexpool.internal.config.PoolConfig;
import io.flexpool.internal.config.Values;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.discovery.Providers;
import io.flexpool.pool.PoolSnapshot;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** What records a pool's requests into a file, if that is switched on. */
public final class LeaseRecord {
    private LeaseRecord() {}

    /** Empty if nothing is to be recorded; that a module records is checked with the configuration. */
    public static List<LeaseSink> sinks(PoolContext context) {
        Values values = context.config().values();
        List<LeaseSink> sinks = new ArrayList<>();
        if (values.need(CoreKey.RECORD, RecordUse.class) == RecordUse.FILE) {
            RecordRequest request = new RecordRequest(
                    context.name(),
                    Path.of(values.need(CoreKey.RECORD_DIRECTORY, String.class)),
                    values.count(CoreKey.RECORD_MAX_BYTES),
                    values.flag(CoreKey.RECORD_ANONYMOUS),
                    facts(context));
            Providers.each(RecorderProvider.class, provider -> {
                if (sinks.isEmpty()) {
                    sinks.add(provider.recorder(request));
                }
            });
        }
        return sinks;
    }

    private static Map<String, String> facts(PoolContext context) {
        PoolConfig config = context.config();
        Map<String, String> facts = new HashMap<>();
        facts.put("kind", context.adapter().type());
        int max = config.gated() ? config.base() : max(context);
        if (max != PoolSnapshot.UNKNOWN) {
            facts.put("max", Integer.toString(max));
        }
        if (!config.classes().isEmpty()) {
            facts.put("classes", config.classes().stream().map(ClassRule::name).collect(Collectors.joining(",")));
        }
        for (ClassRule rule : config.classes()) {
            facts.put("classes." + rule.name() + ".guarantee", Double.toString(rule.guarantee()));
            if (rule.most() != null) {
                facts.put("classes." + rule.name() + ".most", Integer.toString(rule.most()));
            }
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(config.timeoutNanos());
        if (millis > 0 && millis < Integer.MAX_VALUE) {
            facts.put("timeoutMillis", Long.toString(millis));
        }
        return facts;
    }

    private static int max(PoolContext context) {
        try {
            return context.adapter().snapshot().max();
        } catch (RuntimeException | LinkageError unreadable) {
            // A pool that is being wrapped may not have begun.
            return PoolSnapshot.UNKNOWN;
        }
    }
}
