// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * One class of a pool's requests, as far as its connections are limited. Immutable.
 *
 * @param name its name
 * @param guaranteed how many connections it gets before others, 0 or more
 * @param max how many it has at once at most; empty for any number
 */
public record ClassLimits(String name, int guaranteed, OptionalInt max) {
    /** In the header of a trace: the names of the classes, separated by commas. */
    static final String CLASSES = "classes";

    /**
     * Those that the header of a trace has.
     *
     * @param header as a trace has it
     * @param connections how many the pool has, of which guarantees are parts
     * @return in their order; empty if the pool had one class for all. What cannot be read is left out
     */
    public static List<ClassLimits> of(Map<String, String> header, int connections) {
        List<ClassLimits> classes = new ArrayList<>();
        for (String name : header.getOrDefault(CLASSES, "").split(",", -1)) {
            if (!name.isEmpty()) {
                String of = CLASSES + "." + name;
                double part = number(header.get(of + ".guarantee"), 0);
                // Earlier versions wrote most.
                String written = header.get(of + ".max");
                int max = (int) number(written == null ? header.get(of + ".most") : written, -1);
                classes.add(new ClassLimits(
                        name,
                        (int) Math.ceil(Math.max(0, part) * connections),
                        max < 1 ? OptionalInt.empty() : OptionalInt.of(max)));
            }
        }
        return List.copyOf(classes);
    }

    private static double number(@Nullable String text, double otherwise) {
        try {
            return text == null ? otherwise : Double.parseDouble(text);
        } catch (NumberFormatException damaged) {
            return otherwise;
        }
    }
}
