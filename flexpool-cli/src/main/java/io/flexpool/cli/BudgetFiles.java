// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads applications from YAML: from budget files or Kubernetes manifests. Executes nothing. Not thread-safe. */
final class BudgetFiles {
    private static final Set<String> TOP = Set.of("max", "reserve", "applications");
    private static final Set<String> OF_APPLICATION = Set.of("instances", "surge", "pools");

    private final LogInput input;
    private final Manifests manifests = new Manifests();
    private final Map<String, Budgeted> listed = new LinkedHashMap<>();
    private boolean empty = true;
    private @Nullable Integer max;
    private @Nullable Integer reserve;

    BudgetFiles(LogInput input) {
        this.input = input;
    }

    /** Whether no file has a document. */
    boolean isEmpty() {
        return empty;
    }

    @Nullable
    Integer max() {
        return max;
    }

    @Nullable
    Integer reserve() {
        return reserve;
    }

    /** The applications listed in budget files. */
    List<Budgeted> listed() {
        return List.copyOf(listed.values());
    }

    Manifests manifests() {
        return manifests;
    }

    /**
     * Reads a file.
     *
     * @throws IOException if the file cannot be read; the message has file, place and reason
     */
    void read(Path file) throws IOException {
        String name = LogInput.name(file);
        try {
            for (Object document : Yamls.all(text(file))) {
                empty = false;
                document(Yamls.map(document, "the document"));
            }
        } catch (IllegalArgumentException broken) {
            throw new IOException(name + ": " + Reasons.printable(String.valueOf(broken.getMessage())), broken);
        }
    }

    private String text(Path file) throws IOException {
        byte[] bytes = input.all(file);
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException other) {
            throw new IOException(LogInput.name(file) + ": not in UTF-8, as YAML must be", other);
        }
        return text.startsWith("\ufeff") ? text.substring(1) : text;
    }

    private void document(Map<?, ?> document) {
        if (document.containsKey("kind")) {
            manifests.add(document);
        } else if (document.containsKey("services") && !document.containsKey("applications")) {
            throw new IllegalArgumentException(
                    "is a Docker Compose file, which flexpool does not read: give a budget or Kubernetes manifests");
        } else {
            budget(document);
        }
    }

    private void budget(Map<?, ?> document) {
        known(document, TOP, "");
        max = once("max", document, max);
        reserve = once("reserve", document, reserve);
        if (!document.containsKey("applications")) {
            return;
        }
        Yamls.map(document.get("applications"), "applications").forEach((key, value) -> {
            String name = String.valueOf(key);
            Map<?, ?> of = Yamls.map(value, name);
            known(of, OF_APPLICATION, name + ".");
            int instances = Figures.count(name + ".instances", of.get("instances"));
            long surge = of.containsKey("surge")
                    ? Figures.upTo(name + ".surge", String.valueOf(of.get("surge")), instances)
                    : 0;
            if (listed.put(name, new Budgeted(name, instances, surge, 0, pools(name, of.get("pools")))) != null) {
                throw new IllegalArgumentException("applications." + name + " is given twice");
            }
        });
    }

    private static @Nullable Integer once(String key, Map<?, ?> document, @Nullable Integer before) {
        if (!document.containsKey(key)) {
            return before;
        }
        int value = Figures.count(key, document.get(key));
        if (before != null && before != value) {
            throw new IllegalArgumentException(key + " = " + value + ": another budget file sets " + before);
        }
        return value;
    }

    /** The sum of a number or of several pools' numbers, with or without names; -1 without any. */
    private static long pools(String name, @Nullable Object value) {
        if (value == null || (value instanceof List<?> none && none.isEmpty())) {
            return -1;
        }
        if (value instanceof Map<?, ?> named) {
            long sum = 0;
            for (Map.Entry<?, ?> one : named.entrySet()) {
                sum += Figures.count(name + ".pools." + one.getKey(), one.getValue());
            }
            return sum;
        }
        List<Object> several = value instanceof List<?> list ? new ArrayList<>(list) : List.of(value);
        long sum = 0;
        for (Object one : several) {
            sum += Figures.count(name + ".pools", one);
        }
        return sum;
    }

    private static void known(Map<?, ?> document, Set<String> keys, String before) {
        for (Object key : document.keySet()) {
            String name = String.valueOf(key);
            if (!keys.contains(name)) {
                String nearest = Nearest.to(name, keys, ", the nearest one is '" + before, "'");
                throw new IllegalArgumentException("unknown key '" + before + name + "'"
                        + (nearest.isEmpty() ? "; the keys are " + String.join(", ", new TreeSet<>(keys)) : nearest));
            }
        }
    }
}
