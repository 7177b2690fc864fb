// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The guarantee and the maximum of one class of a pool's requests. Immutable.
 *
 * @param name the name of the class
 * @param guaranteed the number of connections guaranteed to the class, 0 or more
 * @param max the maximum number of connections of the class; empty without a maximum
 */
public record ClassLimits(String name, int guaranteed, OptionalInt max) {
    /** The header entry with the names of the classes, separated by commas. */
    static final String CLASSES = "classes";

    /**
     * Reads the classes from the header of a trace.
     *
     * @param header the header
     * @param connections the pool's size, because guarantees may be shares of it
     * @return the readable classes, in their order; empty without classes
     */
    public static List<ClassLimits> of(Map<String, String> header, int connections) {
        List<ClassLimits> classes = new ArrayList<>();
        for (String name : header.getOrDefault(CLASSES, "").split(",", -1)) {
            if (!name.isEmpty()) {
                String of = CLASSES + "." + name;
                double part = number(header.get(of + ".guarantee"), 0);
                // Earlier versions wrote the key "most".
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
