// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.lint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;

/** The answer as JSON, and as SARIF 2.1.0, which code hosts show beside the lines. */
final class LintJson {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

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

    static String sarif(Linter.Result result, String version) {
        ObjectNode root = JSON.createObjectNode();
        root.put("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
        root.put("version", "2.1.0");
        ObjectNode run = root.putArray("runs").addObject();
        ObjectNode driver = run.putObject("tool").putObject("driver");
        driver.put("name", "flexpool lint").put("version", version);
        ArrayNode rules = driver.putArray("rules");
        for (Rule rule : Rule.values()) {
            ObjectNode one = rules.addObject().put("id", rule.id());
            one.putObject("shortDescription").put("text", rule.summary());
            one.putObject("fullDescription").put("text", rule.why());
            one.putObject("help").put("text", "Write instead: " + rule.instead());
            one.putObject("defaultConfiguration").put("level", rule.severity().toString());
        }
        ArrayNode results = run.putArray("results");
        for (Finding each : result.findings()) {
            ObjectNode one = results.addObject()
                    .put("ruleId", each.rule().id())
                    .put("ruleIndex", Rule.ids().indexOf(each.rule().id()))
                    .put("level", each.rule().severity().toString());
            one.putObject("message")
                    .put("text", each.what() + ". " + each.rule().why() + " Write instead: " + each.instead());
            ObjectNode place = one.putArray("locations").addObject().putObject("physicalLocation");
            place.putObject("artifactLocation").put("uri", uri(each.file()));
            place.putObject("region").put("startLine", each.line());
        }
        ObjectNode invocation = run.putArray("invocations").addObject();
        invocation.put("executionSuccessful", result.problems().isEmpty());
        ArrayNode notes = invocation.putArray("toolExecutionNotifications");
        for (String each : result.problems()) {
            notes.addObject().put("level", "error").putObject("message").put("text", each);
        }
        return written(root);
    }

    private static String uri(Path file) {
        try {
            return new URI(null, null, file.toString().replace('\\', '/'), null).toASCIIString();
        } catch (URISyntaxException impossible) {
            return file.toString();
        }
    }

    private static String written(ObjectNode root) {
        try {
            return JSON.writeValueAsString(root) + "\n";
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
