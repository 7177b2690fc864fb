// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A result as the JSON file has it. What it reads it can show: anything else is refused by the file's name. */
final class ResultFile {
    /** To be raised when the records of today could no longer read the file, or would misread it. */
    static final int FORMAT = 1;

    static final String FORMAT_FIELD = "format";

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .defaultSetterInfo(JsonSetter.Value.construct(Nulls.FAIL, Nulls.FAIL))
            .build();
    private static final MathContext DIGITS = new MathContext(6);

    private ResultFile() {}

    /** What is written: the format, then the result's components. */
    static ObjectNode tree(ScenarioResult result) {
        ObjectNode tree = MAPPER.createObjectNode().put(FORMAT_FIELD, FORMAT);
        return tree.setAll((ObjectNode) MAPPER.valueToTree(result));
    }

    /** What is published: fewer points of the graphs, and figures of six digits. */
    static ObjectNode published(ScenarioResult result) {
        ObjectNode tree = tree(result);
        tree.set(
                "graphs",
                MAPPER.valueToTree(
                        result.graphs().stream().map(Thinning::published).toList()));
        shorten(tree);
        return tree;
    }

    /** Further digits of a measured figure say nothing. */
    private static void shorten(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.properties().forEach(field -> field.setValue(shortened(field.getValue())));
        } else if (node instanceof ArrayNode array) {
            for (int at = 0; at < array.size(); at++) {
                array.set(at, shortened(array.get(at)));
            }
        }
    }

    private static JsonNode shortened(JsonNode node) {
        shorten(node);
        if (!node.isDouble() || !Double.isFinite(node.doubleValue())) {
            return node;
        }
        BigDecimal figure = node.decimalValue().round(DIGITS);
        // Not 1E+2, and not 100.0.
        return figure.stripTrailingZeros().scale() <= 0
                ? LongNode.valueOf(figure.longValue())
                : DoubleNode.valueOf(figure.doubleValue());
    }

    /**
     * What was written.
     *
     * @throws IllegalArgumentException if the file cannot be shown; the message names the file and says why
     */
    static ScenarioResult read(Path file) {
        try {
            return result(tree(file));
        } catch (IOException e) {
            throw refused(file, "cannot be read: " + e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw refused(file, String.valueOf(e.getMessage()), e);
        }
    }

    private static JsonNode tree(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IllegalArgumentException("is a folder; must be a result that a scenario wrote with --json");
        }
        if (!Files.exists(file)) {
            throw new IllegalArgumentException("does not exist");
        }
        try {
            return MAPPER.readTree(Files.readString(file));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("is not JSON: " + e.getOriginalMessage() + at(e), e);
        } catch (MalformedInputException e) {
            throw new IllegalArgumentException("is not JSON: it is no text in UTF-8", e);
        }
    }

    private static ScenarioResult result(JsonNode tree) throws JsonProcessingException {
        JsonNode format = tree.path(FORMAT_FIELD);
        if (!(tree instanceof ObjectNode object) || format.isMissingNode()) {
            throw new IllegalArgumentException("is no result of a scenario: it has no field '" + FORMAT_FIELD + "'");
        }
        if (!format.isInt() || format.intValue() != FORMAT) {
            throw new IllegalArgumentException("was written by another version of this program: its format is " + format
                    + ", this version reads format " + FORMAT);
        }
        object.remove(FORMAT_FIELD);
        try {
            ScenarioResult result = MAPPER.treeToValue(object, ScenarioResult.class);
            result.tables().forEach(ResultFile::check);
            return result;
        } catch (JsonMappingException e) {
            throw new IllegalArgumentException(inWords(object, e), e);
        }
    }

    private static void check(Table table) {
        for (List<String> row : table.rows()) {
            if (row.size() != table.columns().size()) {
                throw new IllegalArgumentException("has a row of " + row.size() + " cells in the table '"
                        + table.title() + "', which has " + table.columns().size() + " columns");
            }
        }
    }

    private static String inWords(JsonNode tree, JsonMappingException e) {
        StringBuilder path = new StringBuilder();
        JsonNode value = tree;
        for (JsonMappingException.Reference step : e.getPath()) {
            if (step.getFieldName() == null) {
                path.append('[').append(step.getIndex()).append(']');
                value = value.path(step.getIndex());
            } else {
                path.append(path.isEmpty() ? "" : ".").append(step.getFieldName());
                value = value.path(step.getFieldName());
            }
        }
        if (e instanceof UnrecognizedPropertyException) {
            return "has the unknown field '" + path + "'";
        }
        return value.isMissingNode()
                ? "misses the field '" + path + "'"
                : "has a wrong value in '" + path + "': " + e.getOriginalMessage();
    }

    private static String at(JsonProcessingException e) {
        return e.getLocation() == null
                ? ""
                : " (line " + e.getLocation().getLineNr() + ", column "
                        + e.getLocation().getColumnNr() + ")";
    }

    private static IllegalArgumentException refused(Path file, String why, Exception cause) {
        return new IllegalArgumentException("'" + file + "' " + why, cause);
    }
}
