// SPDX-License-Identifier: Apache-2.0
package io.flexpool.published;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** The modules of this build, from their POMs, and what was built of them. */
final class Reactor {
    static final Path ROOT = Path.of("..");

    private Reactor() {}

    /** {@return the folder of each published module, by artifact: what has a src/main and nothing that skips its deployment} */
    static Map<String, Path> published() {
        Map<String, Path> published = new TreeMap<>();
        collect(ROOT, false, published);
        return published;
    }

    private static void collect(Path folder, boolean inherited, Map<String, Path> published) {
        Element pom = pom(folder);
        String own = text(child(child(pom, "properties"), "maven.deploy.skip"));
        boolean skipped = (folder.equals(ROOT) || own.isEmpty()) ? inherited : own.equals("true");
        if (!skipped && Files.isDirectory(folder.resolve("src/main"))) {
            published.put(text(child(pom, "artifactId")), folder);
        }
        children(child(pom, "modules")).forEach(module -> collect(folder.resolve(text(module)), skipped, published));
    }

    /**
     * What the class path has of a module.
     *
     * @param artifact its name
     * @param folder the module's
     * @return the root of its classes, in a folder or in a jar; null if the class path does not have it
     */
    static @Nullable Path classes(String artifact, Path folder) throws IOException {
        Path built = folder.resolve("target").toAbsolutePath().normalize();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            boolean jar = path.getFileName().toString().matches(artifact + "-\\d.*\\.jar");
            if (path.startsWith(built) && !jar && Files.isDirectory(path)) {
                return path;
            }
            if (jar) {
                return FileSystems.newFileSystem(path).getPath("/");
            }
        }
        return null;
    }

    private static Element pom(Path folder) {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(folder.resolve("pom.xml").toFile())
                    .getDocumentElement();
        } catch (Exception unreadable) {
            throw new IllegalStateException(folder.toString(), unreadable);
        }
    }

    private static Stream<Element> children(@Nullable Element parent) {
        if (parent == null) {
            return Stream.of();
        }
        return Stream.iterate(parent.getFirstChild(), node -> node != null, Node::getNextSibling)
                .filter(Element.class::isInstance)
                .map(Element.class::cast);
    }

    private static @Nullable Element child(@Nullable Element parent, String name) {
        return children(parent)
                .filter(child -> child.getTagName().equals(name))
                .findFirst()
                .orElse(null);
    }

    private static String text(@Nullable Element element) {
        return element == null ? "" : element.getTextContent().strip();
    }
}
