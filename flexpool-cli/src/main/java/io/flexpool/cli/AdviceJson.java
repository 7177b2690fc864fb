// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.flexpool.advice.ClassAdvice;
import io.flexpool.advisor.Advice;
import io.flexpool.advisor.SizePoint;
import io.flexpool.spi.Texts;
import java.io.IOException;
import java.util.List;

/**
 * Writes advice as JSON for programs. Later versions may add fields, but rename none. Durations are in milliseconds.
 */
final class AdviceJson {
    private static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final double NANOS_PER_MS = 1e6;

    private AdviceJson() {}

    static void write(Output file, Advice advice, List<String> incomplete) throws IOException {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("source", "trace");
        json.put("verdict", Texts.word(advice.verdict()));
        json.put("connections", advice.connections());
        json.put("minIdle", advice.minIdle());
        json.put("timeoutMillis", advice.timeout().toMillis());
        json.put("confidence", Texts.word(advice.confidence()));
        json.put("current", advice.question().current());
        json.put("waitTargetMillis", advice.question().waitTarget().toNanos() / NANOS_PER_MS);
        json.put("requests", advice.load().requests());
        json.put("timedOut", advice.load().timedOut());
        json.put("spanSeconds", advice.load().span().toSeconds());
        json.put("demandMax", advice.load().demandMax());
        json.put("demandP99", advice.load().demandP99());
        json.put("demandP50", advice.load().demandP50());
        ArrayNode curve = json.putArray("curve");
        for (SizePoint point : advice.curve()) {
            curve.addObject()
                    .put("connections", point.connections())
                    .put("p50Millis", point.p50Nanos() / NANOS_PER_MS)
                    .put("p99Millis", point.p99Nanos() / NANOS_PER_MS)
                    .put("p999Millis", point.p999Nanos() / NANOS_PER_MS)
                    .put("timedOutShare", point.timedOut());
        }
        ArrayNode notes = json.putArray("notes");
        advice.notes().forEach(notes::add);
        incomplete.forEach(notes::add);
        if (!advice.classes().isEmpty()) {
            ArrayNode classes = json.putArray("classes");
            advice.classes().forEach(each -> add(classes.addObject(), each));
        }
        json.put("text", advice.text());
        write(file, json);
    }

    private static void add(ObjectNode json, ClassAdvice advice) {
        json.put("name", advice.name());
        json.put("requests", advice.requests());
        json.put("timedOut", advice.timedOut());
        json.put("demandMax", advice.demandMax());
        json.put("demandP99", advice.demandP99());
        json.put("waitP99Millis", advice.waitP99().toNanos() / NANOS_PER_MS);
        json.put("needed", advice.needed());
        json.put("guaranteed", advice.guaranteed());
        json.put("guaranteeFit", Texts.word(advice.guaranteeFit()));
        advice.max().ifPresent(max -> json.put("max", max));
        json.put("mostFit", Texts.word(advice.maxFit()));
    }

    static void write(Output file, SampledDemand advice, List<String> incomplete) throws IOException {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("source", "samples");
        json.put("connections", advice.connections());
        json.put("confidence", "low");
        json.put("current", advice.current());
        json.put("failedRequests", advice.failed());
        ArrayNode notes = json.putArray("notes");
        advice.unknown().forEach(notes::add);
        incomplete.forEach(notes::add);
        json.put("text", advice.text());
        write(file, json);
    }

    static void write(Output file, List<Budgeted> applications, List<String> notes, long room) throws IOException {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("source", "budget");
        long sum = applications.stream().mapToLong(Budgeted::most).sum();
        json.put("fits", sum <= room);
        json.put("connections", sum);
        json.put("available", room);
        ArrayNode all = json.putArray("applications");
        for (Budgeted each : applications) {
            all.addObject()
                    .put("name", each.name())
                    .put("instances", each.instances())
                    .put("surge", each.surge())
                    .put("terminating", each.terminating())
                    .put("connectionsEach", each.connections())
                    .put("connections", each.most());
        }
        ArrayNode shown = json.putArray("notes");
        notes.forEach(shown::add);
        write(file, json);
    }

    /** Writes the document, and escapes all control characters: Jackson escapes only those of ASCII. */
    private static void write(Output file, ObjectNode json) throws IOException {
        file.write(Reasons.printable(MAPPER.writeValueAsString(json)) + System.lineSeparator());
    }
}
