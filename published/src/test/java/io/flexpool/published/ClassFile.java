// SPDX-License-Identifier: Apache-2.0
package io.flexpool.published;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a class file names, without loading it: that needs the libraries that it is compiled against.
 *
 * @param name with dots
 * @param above the class it extends
 * @param interfaces those it implements itself
 * @param texts all constants that are text: names of members, descriptors, strings
 * @param calls the methods it calls, as {@code java.lang.Class.forName}
 */
record ClassFile(String name, String above, List<String> interfaces, Set<String> texts, Set<String> calls) {

    static ClassFile read(Path file) throws IOException {
        try (InputStream bytes = Files.newInputStream(file);
                DataInputStream in = new DataInputStream(bytes)) {
            in.skipNBytes(8);
            int count = in.readUnsignedShort();
            String[] text = new String[count];
            int[] first = new int[count];
            int[] second = new int[count];
            int[] tags = new int[count];
            for (int at = 1; at < count; at++) {
                tags[at] = in.readUnsignedByte();
                switch (tags[at]) {
                    case 1 -> text[at] = in.readUTF();
                    case 3, 4 -> in.skipNBytes(4);
                    case 5, 6 -> {
                        in.skipNBytes(8);
                        at++;
                    }
                    case 7, 8, 16, 19, 20 -> first[at] = in.readUnsignedShort();
                    case 15 -> in.skipNBytes(3);
                    default -> {
                        first[at] = in.readUnsignedShort();
                        second[at] = in.readUnsignedShort();
                    }
                }
            }
            in.skipNBytes(2);
            String name = text[first[in.readUnsignedShort()]];
            int superclass = in.readUnsignedShort();
            String above = superclass == 0 ? "" : text[first[superclass]];
            List<String> interfaces = new ArrayList<>();
            for (int left = in.readUnsignedShort(); left > 0; left--) {
                interfaces.add(dotted(text[first[in.readUnsignedShort()]]));
            }
            Set<String> texts = new HashSet<>();
            Set<String> calls = new TreeSet<>();
            for (int at = 1; at < count; at++) {
                if (tags[at] == 1) {
                    texts.add(text[at]);
                } else if (tags[at] == 10 || tags[at] == 11) {
                    calls.add(dotted(text[first[first[at]]]) + "." + text[first[second[at]]]);
                }
            }
            return new ClassFile(dotted(name), dotted(above), interfaces, texts, calls);
        }
    }

    private static String dotted(String name) {
        return name.replace('/', '.');
    }
}
