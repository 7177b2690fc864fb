// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.lint;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * An application's properties or YAML, with the line of each key. Immutable.
 *
 * @param file the file, relative to the read directory
 * @param profile the profile in the file's name; null for all profiles
 * @param documents the documents, in order
 */
record SettingsFile(Path file, @Nullable String profile, List<Document> documents) {
    private static final Pattern NAME = Pattern.compile(
            "(?:application|bootstrap|microprofile-config)(?:-(?<profile>[A-Za-z0-9_.-]+?))?\\.(?:properties|ya?ml)");

    /** Maven's placeholders, which Maven replaces before packaging; without quotes YAML does not allow them. */
    private static final Pattern MAVENS =
            Pattern.compile("(?m)^([ \\t]*+(?:- ++)?(?:[\\w.\\[\\]-]++:)?[ \\t]*+)(@[\\w.-]++@[^\\s'#]*)");

    private static final int ALIASES = 1_000;
    private static final int DEEPEST = 100;
    private static final int MOST_NODES = 100_000;
    private static final int LARGEST = 4 << 20;
    /** A template's expression outside quotes, where YAML would begin a map. */
    private static final Pattern TEMPLATE = Pattern.compile("(?m)^(?:[^#'\"\\n]*:)?[ \\t]*(?:- +)?\\{\\{");

    private static final String RENDER = "is a template, which must be rendered first";

    /**
     * A document of a file, for all or some profiles.
     *
     * @param profiles the profiles; empty for all; profile expressions are not evaluated
     */
    record Document(List<String> profiles, List<Setting> settings) {}

    static boolean isOne(String name) {
        return NAME.matcher(name).matches();
    }

    /**
     * Reads a text.
     *
     * @throws IOException if the text is invalid; the message has the reason, but not the file
     */
    static SettingsFile of(Path file, String text) throws IOException {
        String name = String.valueOf(file.getFileName());
        Matcher named = NAME.matcher(name);
        List<List<Setting>> parts = name.endsWith(".properties") ? properties(file, text) : yaml(file, text);
        List<Document> documents = new ArrayList<>();
        for (List<Setting> part : parts) {
            documents.add(new Document(profiles(part), List.copyOf(part)));
        }
        return new SettingsFile(file, named.matches() ? named.group("profile") : null, List.copyOf(documents));
    }

    private static List<String> profiles(List<Setting> settings) {
        List<String> profiles = new ArrayList<>();
        for (Setting each : settings) {
            String plain = each.plain().replaceFirst("(?<!\\d)\\d+$", "");
            if (plain.equals("springconfigactivateonprofile") || plain.equals("springprofiles")) {
                for (String profile : each.value().split(",", -1)) {
                    profiles.add(profile.strip());
                }
            }
        }
        return List.copyOf(profiles);
    }

    /** Reads properties like {@link Properties}: a backslash at its end continues a line. */
    private static List<List<Setting>> properties(Path file, String text) throws IOException {
        List<List<Setting>> parts = new ArrayList<>();
        List<Setting> part = new ArrayList<>();
        int count = 0;
        String[] lines = text.split("\\R", -1);
        for (int at = 0; at < lines.length; at++) {
            String line = lines[at].stripLeading();
            if (line.matches("[#!]---\\s*")) {
                parts.add(part);
                part = new ArrayList<>();
            }
            if (line.isEmpty() || line.startsWith("#") || line.startsWith("!")) {
                continue;
            }
            int first = at;
            StringBuilder whole = new StringBuilder(lines[at]);
            while (continues(lines[at]) && at + 1 < lines.length) {
                at++;
                whole.append('\n').append(lines[at]);
            }
            Properties read = new Properties();
            try {
                read.load(new StringReader(whole.toString()));
            } catch (IllegalArgumentException broken) {
                throw new IOException("line " + (first + 1) + ": " + broken.getMessage(), broken);
            }
            count++;
            if (count > MOST_NODES) {
                throw new IOException("has more than " + MOST_NODES + " settings");
            }
            for (String key : read.stringPropertyNames()) {
                part.add(new Setting(file, first + 1, key, read.getProperty(key).strip()));
            }
        }
        parts.add(part);
        return parts;
    }

    private static boolean continues(String line) {
        int slashes = 0;
        while (slashes < line.length() && line.charAt(line.length() - 1 - slashes) == '\\') {
            slashes++;
        }
        return slashes % 2 == 1;
    }

    private static List<List<Setting>> yaml(Path file, String text) throws IOException {
        LoaderOptions options = new LoaderOptions();
        options.setMaxAliasesForCollections(ALIASES);
        options.setNestingDepthLimit(DEEPEST);
        options.setCodePointLimit(LARGEST);
        Matcher template = TEMPLATE.matcher(text);
        if (template.find()) {
            throw new IOException(
                    "line " + text.substring(0, template.end()).lines().count() + ": " + RENDER);
        }
        List<List<Setting>> parts = new ArrayList<>();
        Flat flat = new Flat(file);
        try {
            String plain = MAVENS.matcher(text).replaceAll("$1'$2'");
            for (Node node : new Yaml(new SafeConstructor(options)).composeAll(new StringReader(plain))) {
                flat.add("", node, 1);
                parts.add(List.copyOf(flat.settings));
                flat.settings.clear();
            }
        } catch (MarkedYAMLException broken) {
            String line = broken.getProblemMark() == null
                    ? ""
                    : "line " + (broken.getProblemMark().getLine() + 1) + ": ";
            String what = text.contains("{{") ? RENDER : broken.getProblem();
            throw new IOException(line + what, broken);
        } catch (YAMLException | StackOverflowError broken) {
            throw new IOException("is not valid YAML: " + broken.getMessage(), broken);
        }
        return parts;
    }

    /** Converts nodes to keys with dots, and counts the nodes of all documents. */
    private static final class Flat {
        private final Path file;
        private final List<Setting> settings = new ArrayList<>();
        private final Set<Node> around = Collections.newSetFromMap(new IdentityHashMap<>());
        private int nodes;

        Flat(Path file) {
            this.file = file;
        }

        void add(String key, Node node, int line) throws IOException {
            nodes++;
            if (nodes > MOST_NODES || !around.add(node)) {
                throw new IOException("has more than " + MOST_NODES
                        + " values with its aliases expanded, or an alias that contains itself");
            }
            if (node instanceof MappingNode map) {
                // The map's own entries override merged ones.
                for (NodeTuple each : map.getValue()) {
                    if (name(each).equals("<<")) {
                        merge(
                                key,
                                each.getValueNode(),
                                each.getKeyNode().getStartMark().getLine() + 1);
                    }
                }
                for (NodeTuple each : map.getValue()) {
                    String name = name(each);
                    if (!name.equals("<<")) {
                        add(
                                key.isEmpty() ? name : key + "." + name,
                                each.getValueNode(),
                                each.getKeyNode().getStartMark().getLine() + 1);
                    }
                }
            } else if (node instanceof SequenceNode list) {
                int index = 0;
                for (Node each : list.getValue()) {
                    add(key + "[" + index + "]", each, each.getStartMark().getLine() + 1);
                    index++;
                }
            } else if (node instanceof ScalarNode value) {
                // A function, for example CloudFormation's !Ref, has an unknown value.
                boolean function = value.getTag().getValue().startsWith("!")
                        && value.getTag().getValue().length() > 1;
                settings.add(new Setting(file, line, key, function ? "${}" : value.getValue()));
            }
            around.remove(node);
        }

        /** Merges one map, or a list of maps, of which earlier ones override later ones. */
        private void merge(String key, Node node, int line) throws IOException {
            List<Node> maps = node instanceof SequenceNode list ? new ArrayList<>(list.getValue()) : List.of(node);
            for (int at = maps.size() - 1; at >= 0; at--) {
                add(key, maps.get(at), line);
            }
        }

        private static String name(NodeTuple tuple) {
            return tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "?";
        }
    }
}
