// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.lint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formats the result as JSON, and as SARIF 2.1.0, which code hosts show beside the lines. */
final class LintJson {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private static final String ROOT = "%SRCROOT%";
    private static final String UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

    private LintJson() {}

    static String json(Linter.Result result) {
        ObjectNode root = JSON.createObjectNode();
        ArrayNode findings = root.putArray("findings");
        for (Finding each : result.findings()) {
            findings.addObject()
                    .put("rule", each.rule().id())
                    .put("severity", each.rule().severity().toString())
                    .put("file", uri(each.file()))
                    .put("line", each.line())
                    .put("what", each.what())
                    .put("why", each.rule().why())
                    .put("instead", each.instead())
                    .put("page", each.rule().page());
        }
        root.put("suppressed", result.suppressed());
        root.put("files", result.files());
        result.unknown().forEach(root.putArray("unknown")::add);
        result.problems().forEach(root.putArray("problems")::add);
        return written(root);
    }

    static String sarif(Linter.Result result, @Nullable String version, Path folder) {
        ObjectNode root = JSON.createObjectNode();
        root.put("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
        root.put("version", "2.1.0");
        ObjectNode run = root.putArray("runs").addObject();
        ObjectNode driver = run.putObject("tool").putObject("driver");
        driver.put("name", "flexpool lint");
        if (version != null) {
            driver.put("version", version);
        }
        ArrayNode rules = driver.putArray("rules");
        for (Rule rule : Rule.values()) {
            ObjectNode one = rules.addObject().put("id", rule.id());
            one.putObject("shortDescription").put("text", rule.summary());
            one.putObject("fullDescription").put("text", rule.why());
            one.putObject("help").put("text", "Write instead: " + rule.instead());
            one.putObject("defaultConfiguration").put("level", rule.severity().toString());
        }
        run.put("columnKind", "utf16CodeUnits");
        run.putObject("originalUriBaseIds")
                .putObject(ROOT)
                .putObject("description")
                .put("text", "The root of the repository.");
        ArrayNode results = run.putArray("results");
        for (Finding each : result.findings()) {
            ObjectNode one = results.addObject()
                    .put("ruleId", each.rule().id())
                    .put("ruleIndex", Rule.ids().indexOf(each.rule().id()))
                    .put("level", each.rule().severity().toString());
            one.putObject("message")
                    .put("text", each.what() + ". " + each.rule().why() + " Write instead: " + each.instead());
            ObjectNode place = one.putArray("locations").addObject().putObject("physicalLocation");
            place.putObject("artifactLocation")
                    .put("uri", uri(folder.resolve(each.file())))
                    .put("uriBaseId", ROOT);
            place.putObject("region").put("startLine", each.line());
        }
        ObjectNode invocation = run.putArray("invocations").addObject();
        invocation.put("executionSuccessful", result.problems().isEmpty());
        ArrayNode notes = invocation.putArray("toolExecutionNotifications");
        for (String each : result.problems()) {
            notes.addObject().put("level", "error").putObject("message").put("text", each);
        }
        for (String each : result.unknown()) {
            notes.addObject().put("level", "note").putObject("message").put("text", "Unknown: " + each);
        }
        return written(root);
    }

    /** A relative URI by RFC 3986, with percent-encoded names. */
    private static String uri(Path file) {
        StringBuilder uri = new StringBuilder();
        for (Path name : file) {
            uri.append(uri.isEmpty() ? "" : "/");
            for (byte each : name.toString().getBytes(StandardCharsets.UTF_8)) {
                if (UNRESERVED.indexOf(each) >= 0) {
                    uri.append((char) each);
                } else {
                    uri.append(String.format(Locale.ROOT, "%%%02X", each & 0xFF));
                }
            }
        }
        return uri.toString();
    }

    private static String written(ObjectNode root) {
        try {
            return JSON.writeValueAsString(root) + "\n";
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
