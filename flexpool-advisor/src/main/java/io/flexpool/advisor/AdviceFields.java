// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.advice.ClassAdvice;
import io.flexpool.advice.PoolAdvice;
import io.flexpool.advice.SizeAdvice;
import io.flexpool.spi.Texts;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** Converts advice to plain maps. */
final class AdviceFields {
    private AdviceFields() {}

    static Map<String, Object> of(PoolAdvice advice) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("status", Texts.word(advice.status()));
        shown.put("text", Texts.line(advice.text()));
        SizeAdvice size = advice.size();
        Instant madeAt = advice.madeAt();
        if (size != null && madeAt != null) {
            shown.put("madeAtEpochMillis", madeAt.toEpochMilli());
            add(shown, size);
        }
        return shown;
    }

    private static void add(Map<String, Object> shown, SizeAdvice size) {
        shown.put("verdict", Texts.word(size.verdict()));
        shown.put("confidence", Texts.word(size.confidence()));
        shown.put("connections", size.connections());
        shown.put("current", size.current());
        shown.put("minIdle", size.minIdle());
        shown.put("timeoutMillis", size.timeout().toMillis());
        shown.put("waitTargetMillis", millis(size.waitTarget().toNanos()));
        shown.put("requests", size.requests());
        shown.put("timedOut", size.timedOut());
        shown.put("spanSeconds", size.span().toSeconds());
        shown.put("demandMax", size.demandMax());
        shown.put("demandP99", size.demandP99());
        shown.put("demandP50", size.demandP50());
        shown.put("curve", size.curve().stream().map(AdviceFields::point).toList());
        if (!size.classes().isEmpty()) {
            shown.put(
                    "classes",
                    size.classes().stream().map(AdviceFields::classFields).toList());
        }
    }

    private static Map<String, Object> classFields(ClassAdvice advice) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("name", advice.name());
        shown.put("requests", advice.requests());
        shown.put("timedOut", advice.timedOut());
        shown.put("demandMax", advice.demandMax());
        shown.put("demandP99", advice.demandP99());
        shown.put("waitP99Millis", millis(advice.waitP99().toNanos()));
        shown.put("needed", advice.needed());
        shown.put("guaranteed", advice.guaranteed());
        shown.put("guaranteeFit", Texts.word(advice.guaranteeFit()));
        advice.max().ifPresent(max -> shown.put("max", max));
        shown.put("mostFit", Texts.word(advice.maxFit()));
        return shown;
    }

    private static Map<String, Object> point(SizeAdvice.Point point) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("connections", point.connections());
        shown.put("p50Millis", millis(point.p50Nanos()));
        shown.put("p99Millis", millis(point.p99Nanos()));
        shown.put("p999Millis", millis(point.p999Nanos()));
        shown.put("timedOutShare", point.timedOut());
        return shown;
    }

    /** Milliseconds, rounded to a thousandth: the measurement is not more exact. */
    private static double millis(long nanos) {
        return Math.round(nanos / 1e3) / 1e3;
    }
}
